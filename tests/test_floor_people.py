"""People, cards and PINs of a floor."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from croupier.errors import CroupierError
from croupier.floor.credentials import DEMO_PEOPLE, PinCost, PinHasher, digest_of, is_trivial, require_good_pin
from croupier.floor.people import MOST_FAILURES, People, Person
from croupier.floor.roles import RIGHTS, Right, Role
from croupier.store import Book, open_store, verify
from tests.people import BOSS_PIN, MIA_PIN, MINUTE, NEW_PIN, QUICK, WRONG_PIN, Clock, Floor, refused, together


@pytest.fixture
def sqlite_book(tmp_path: Path) -> Iterator[Book]:
    book = open_store(str(tmp_path / "floor.db"))
    yield book
    book.close()


@pytest.fixture
def floor(sqlite_book: Book) -> Floor:
    return Floor(sqlite_book)


# Cards and PINs


def test_a_card_and_its_pin_stand_for_a_person(floor: Floor) -> None:
    assert floor.people.present(floor.mia_card, MIA_PIN) == Person(id="mia", role=Role.DEALER)
    assert floor.people.person_of(floor.mia_card) == floor.people.person("mia")
    assert [person.id for person in floor.people.everyone()] == ["boss", "mia"]


def test_it_works_on_both_databases_and_the_log_verifies(book: Book) -> None:
    floor = Floor(book)
    floor.fail(1)
    assert floor.people.present(floor.mia_card, MIA_PIN).id == "mia"
    token = floor.sessions.sign_in(floor.mia_card, MIA_PIN, "terminal-1")
    assert floor.sessions.session(token).id == "mia"
    assert verify(book).is_good


def test_unknown_card_withdrawn_card_replaced_card_and_wrong_pin_get_one_sentence(floor: Floor) -> None:
    gone = floor.add("gone", Role.DEALER)
    floor.people.withdraw("w", "boss", "gone")
    lost = floor.add("lost", Role.DEALER)
    floor.people.renew_card("r", "boss", "lost", NEW_PIN)
    tries = [("card-nobody", MIA_PIN), (gone, MIA_PIN), (lost, MIA_PIN), (floor.mia_card, WRONG_PIN)]
    said = {refused("not_recognized", lambda t=t: floor.people.present(*t)) for t in tries}  # type: ignore[misc]
    assert said == {"Card or PIN not recognized."}
    assert [body["why"] for body in floor.denials()] == ["unknown card", "withdrawn card", "replaced card", "wrong PIN"]
    assert [body["who"] for body in floor.denials()] == ["unknown", "gone", "lost", "mia"]


def test_a_denied_attempt_says_who_what_and_where(floor: Floor) -> None:
    refused(
        "not_recognized",
        lambda: floor.people.present(floor.mia_card, WRONG_PIN, where="table-7", what="pay award 12"),
    )
    (body,) = floor.denials()
    assert (body["who"], body["what"], body["where"]) == ("mia", "pay award 12", "table-7")


@pytest.mark.parametrize("text", ["", "x" * 100_000, "\ud800", "card-\n", "00\u0663\u0664"])
def test_odd_text_is_a_refusal_like_any_other(floor: Floor, text: str) -> None:
    refused("not_recognized", lambda: floor.people.present(text, MIA_PIN, where=text, what=text))
    refused("not_recognized", lambda: floor.people.present(floor.mia_card, text))
    refused("not_signed_in", lambda: floor.sessions.session(text))
    refused("unknown_device", lambda: floor.devices.device(text))
    refused("bad_pin", lambda: floor.people.change_pin("c", floor.mia_card, MIA_PIN, text))
    refused("unknown_person", lambda: floor.people.person(text))


@pytest.mark.parametrize("text", ["", "x" * 100_000, "\ud800", "a\n"])
def test_odd_names_and_ids_are_refused_before_anything_is_done(floor: Floor, text: str) -> None:
    floor.add("tech", Role.TECHNICIAN)
    head = floor.book.head()
    refused("bad_name", lambda: floor.sessions.sign_in(floor.mia_card, MIA_PIN, text))
    refused("bad_name", lambda: floor.people.set_role(text, "boss", "mia", Role.AUDITOR))
    refused("bad_name", lambda: floor.people.withdraw("w", text, "mia"))
    refused("bad_name", lambda: floor.people.add_person("a", "boss", text, Role.DEALER, MIA_PIN))
    refused("bad_name", lambda: floor.devices.register_device("d", "tech", text, "sign", jackpots=("push",)))
    refused("bad_name", lambda: floor.devices.register_device("d", "tech", "sign-1", "sign", jackpots=(text,)))
    refused("unknown_person", lambda: floor.people.renew_card("r", "boss", text, NEW_PIN))
    refused("unknown_device", lambda: floor.devices.renew("r", "tech", text))
    if text:
        refused("bad_name", lambda: floor.people.present(floor.mia_card, MIA_PIN, request_id=text))
    assert floor.book.head() == head


def test_an_unknown_card_costs_as_much_hashing_as_a_wrong_pin(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    monkeypatch.setattr(PinHasher, "hash", lambda _, card_token, pin: hashed.append(card_token))
    refused("not_recognized", lambda: floor.people.present("card-nobody", WRONG_PIN))
    assert hashed == ["card-nobody"]


@pytest.mark.parametrize(
    "pin", ["0000", "1234", "4321", "7890", "0987", "1212", "123123", "1987", "2026", "2580", "99999999", "234567"]
)
def test_trivial_pins_are_refused(pin: str) -> None:
    assert is_trivial(pin)
    assert pin not in refused("trivial_pin", lambda: require_good_pin(pin, demo=False))


@pytest.mark.parametrize("pin", ["", "123", "1234567890123", "12a4", "-123", " 8301", "8301\n", "٣٤٥٦"])
def test_a_pin_is_four_to_twelve_digits(pin: str) -> None:
    refused("bad_pin", lambda: require_good_pin(pin, demo=False))


@pytest.mark.parametrize("pin", ["8301", "60427193", "908172635412"])
def test_other_pins_are_taken(pin: str) -> None:
    require_good_pin(pin, demo=False)
    assert not is_trivial(pin)


def test_the_cost_of_a_pin_is_what_owasp_recommends() -> None:
    stored = PinHasher(PinCost()).hash("card-x", MIA_PIN)
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_stored_pin_cannot_be_tried_without_its_card() -> None:
    pins = PinHasher(QUICK)
    stored = pins.hash("card-x", MIA_PIN)
    assert pins.is_right(stored, "card-x", MIA_PIN)
    assert not pins.is_right(stored, "card-y", MIA_PIN)
    assert not pins.is_right(stored, "", MIA_PIN)


def test_a_stored_pin_that_does_not_read_is_no_wrong_pin() -> None:
    refused("bad_entry", lambda: PinHasher(QUICK).is_right("nonsense", "card-x", MIA_PIN))


def test_a_pin_is_changed_by_its_owner(floor: Floor) -> None:
    change = floor.people.change_pin
    refused("not_recognized", lambda: change("c0", floor.mia_card, WRONG_PIN, NEW_PIN))
    refused("trivial_pin", lambda: change("c0", floor.mia_card, MIA_PIN, "1234"))
    refused("same_pin", lambda: change("c0", floor.mia_card, MIA_PIN, MIA_PIN))
    change("c1", floor.mia_card, MIA_PIN, NEW_PIN)
    change("c1", floor.mia_card, MIA_PIN, NEW_PIN)
    assert floor.people.present(floor.mia_card, NEW_PIN).id == "mia"
    refused("not_recognized", lambda: floor.people.present(floor.mia_card, MIA_PIN))


def test_the_id_of_a_past_change_lets_nobody_try_pins_for_free(floor: Floor) -> None:
    floor.people.change_pin("c1", floor.mia_card, MIA_PIN, NEW_PIN)
    for _ in range(MOST_FAILURES):
        refused("not_recognized", lambda: floor.people.change_pin("c1", floor.mia_card, MIA_PIN, WRONG_PIN))
    refused("locked_out", lambda: floor.people.present(floor.mia_card, NEW_PIN))


def test_a_refused_request_stays_refused_and_counts_once(floor: Floor) -> None:
    for pin in (WRONG_PIN, WRONG_PIN, MIA_PIN):
        refused("not_recognized", lambda pin=pin: floor.people.present(floor.mia_card, pin, request_id="swipe-1"))  # type: ignore[misc]
    assert len(floor.denials()) == 1
    assert floor.people.present(floor.mia_card, MIA_PIN, request_id="swipe-2").id == "mia"


# The lock


def test_five_wrong_pins_within_fifteen_minutes_lock_the_card_for_fifteen(floor: Floor) -> None:
    floor.fail(MOST_FAILURES - 1)
    assert floor.people.present(floor.mia_card, MIA_PIN).id == "mia"
    floor.clock.wait(14 * MINUTE)
    floor.fail(1)
    sentence = refused("locked_out", lambda: floor.people.present(floor.mia_card, MIA_PIN))
    assert "2026-11-16T12:29:00" in sentence and "executive" in sentence
    assert floor.people.locked_until("mia") == floor.clock.now + 15 * MINUTE
    floor.clock.wait(15 * MINUTE - timedelta(seconds=1))
    refused("locked_out", lambda: floor.people.present(floor.mia_card, MIA_PIN))
    floor.clock.wait(timedelta(seconds=1))
    assert floor.people.present(floor.mia_card, MIA_PIN).id == "mia"
    assert floor.people.locked_until("mia") is None
    floor.fail(MOST_FAILURES)
    refused("locked_out", lambda: floor.people.present(floor.mia_card, MIA_PIN))


def test_wrong_pins_are_forgotten_after_fifteen_minutes(floor: Floor) -> None:
    floor.fail(MOST_FAILURES - 1)
    floor.clock.wait(15 * MINUTE)
    floor.fail(MOST_FAILURES - 1)
    assert floor.people.present(floor.mia_card, MIA_PIN).id == "mia"


def test_a_clock_set_back_does_not_lift_a_lock(floor: Floor) -> None:
    floor.fail(MOST_FAILURES)
    floor.clock.wait(-60 * MINUTE)
    refused("locked_out", lambda: floor.people.present(floor.mia_card, MIA_PIN))


def test_attempts_on_a_locked_card_are_recorded_and_do_not_prolong_the_lock(floor: Floor) -> None:
    floor.fail(MOST_FAILURES)
    until = floor.people.locked_until("mia")
    for pin in (WRONG_PIN, MIA_PIN):
        refused("locked_out", lambda pin=pin: floor.people.present(floor.mia_card, pin))  # type: ignore[misc]
    assert [body["why"] for body in floor.denials()[:2]] == ["locked", "locked"]
    assert floor.people.locked_until("mia") == until


def test_an_executive_unlocks_a_card_but_not_their_own(floor: Floor) -> None:
    floor.fail(MOST_FAILURES)
    refused("not_allowed", lambda: floor.people.unlock("u0", "mia", "mia"))
    refused("own_lock", lambda: floor.people.unlock("u0", "boss", "boss"))
    floor.people.unlock("u1", "boss", "mia")
    floor.people.unlock("u1", "boss", "mia")
    assert floor.people.present(floor.mia_card, MIA_PIN).id == "mia"
    floor.fail(MOST_FAILURES - 1)
    assert floor.people.locked_until("mia") is None


def test_an_old_card_cannot_lock_its_owner_out(floor: Floor) -> None:
    card = floor.people.renew_card("r", "boss", "mia", NEW_PIN)
    floor.fail(2 * MOST_FAILURES)
    assert floor.people.present(card, NEW_PIN).id == "mia"


def test_a_server_compares_no_pin_after_the_lock_however_many_come_at_once(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []
    is_right = PinHasher.is_right

    def counted(self: PinHasher, stored: str, card_token: str, pin: str) -> bool:
        compared.append(pin)
        return is_right(self, stored, card_token, pin)

    monkeypatch.setattr(PinHasher, "is_right", counted)
    codes = together(*[lambda: floor.people.present(floor.mia_card, WRONG_PIN)] * 20)
    assert len(compared) == MOST_FAILURES and len(codes) == 20


def test_wrong_pins_at_two_servers_at_once_are_all_counted(floor: Floor) -> None:
    others = floor.restarted()  # as a second server on the same ledger
    swipes = [lambda each=each: each.present(floor.mia_card, WRONG_PIN) for each in [floor.people, others] * 10]
    codes = together(*swipes)
    assert codes.count("not_recognized") == MOST_FAILURES
    assert codes.count("locked_out") == len(swipes) - MOST_FAILURES
    reasons = [body["why"] for body in floor.denials()]
    assert (reasons.count("wrong PIN"), reasons.count("locked")) == (MOST_FAILURES, len(swipes) - MOST_FAILURES)


# Managing people


def test_the_first_person_is_an_executive_and_then_only_executives_add(sqlite_book: Book) -> None:
    people = People(sqlite_book, Clock(), cost=QUICK)
    refused("first_executive", lambda: people.add_person("a", "setup", "mia", Role.DEALER, MIA_PIN))
    people.add_person("a", "setup", "boss", Role.EXECUTIVE, BOSS_PIN)
    refused("not_allowed", lambda: people.add_person("b", "setup", "mia", Role.DEALER, MIA_PIN))
    people.add_person("b", "boss", "mia", Role.DEALER, MIA_PIN)
    refused("not_allowed", lambda: people.add_person("c", "mia", "eve", Role.EXECUTIVE, MIA_PIN))
    refused("person_exists", lambda: people.add_person("c", "boss", "mia", Role.EXECUTIVE, MIA_PIN))
    for name in ("", "a b", "unknown", "x" * 65, "-a"):
        refused("bad_name", lambda name=name: people.add_person("c", "boss", name, Role.DEALER, MIA_PIN))  # type: ignore[misc]


def test_a_repeated_request_changes_nothing_and_a_token_is_shown_once(floor: Floor) -> None:
    refused("shown_once", lambda: floor.people.add_person("add-mia", "boss", "mia", Role.DEALER, MIA_PIN))
    refused("id_reused", lambda: floor.people.add_person("add-mia", "boss", "mia", Role.AUDITOR, MIA_PIN))
    refused("id_reused", lambda: floor.people.add_person("add-mia", "boss", "eve", Role.DEALER, MIA_PIN))
    floor.people.set_role("s", "boss", "mia", Role.AUDITOR)
    head = floor.book.head()
    floor.people.set_role("s", "boss", "mia", Role.AUDITOR)
    refused("id_reused", lambda: floor.people.set_role("s", "boss", "mia", Role.EXECUTIVE))
    assert floor.book.head() == head
    floor.people.renew_card("r", "boss", "mia", NEW_PIN)
    refused("shown_once", lambda: floor.people.renew_card("r", "boss", "mia", NEW_PIN))
    floor.people.withdraw("w", "boss", "mia")
    floor.people.withdraw("w", "boss", "mia")


def test_only_executives_manage_people(floor: Floor) -> None:
    for do in (
        lambda: floor.people.set_role("x", "mia", "mia", Role.EXECUTIVE),
        lambda: floor.people.withdraw("x", "mia", "boss"),
        lambda: floor.people.renew_card("x", "mia", "boss", NEW_PIN),
        lambda: floor.people.unlock("x", "mia", "boss"),
        lambda: floor.people.end_sessions("x", "mia", "boss"),
    ):
        refused("not_allowed", do)
    assert [body["who"] for body in floor.denials()] == ["mia"] * 5
    assert floor.people.person("boss").role is Role.EXECUTIVE


def test_a_floor_keeps_an_executive(floor: Floor) -> None:
    refused("last_executive", lambda: floor.people.withdraw("w", "boss", "boss"))
    refused("last_executive", lambda: floor.people.set_role("s", "boss", "boss", Role.DEALER))
    floor.add("second", Role.EXECUTIVE)
    floor.people.withdraw("w", "second", "boss")
    refused("last_executive", lambda: floor.people.withdraw("w2", "second", "second"))


def test_two_executives_cannot_withdraw_each_other_at_the_same_time(floor: Floor) -> None:
    floor.add("second", Role.EXECUTIVE)
    other = floor.restarted()
    codes = together(
        lambda: floor.people.withdraw("w1", "boss", "second"), lambda: other.withdraw("w2", "second", "boss")
    )
    assert len(codes) == 1 and codes[0] in ("not_allowed", "last_executive", "stale_revision")
    assert len(floor.people.everyone()) == 2


def test_only_one_becomes_the_first_executive(sqlite_book: Book) -> None:
    def add(name: str) -> Callable[[], object]:
        people = People(sqlite_book, Clock(), cost=QUICK)
        return lambda: people.add_person(f"add-{name}", "setup", name, Role.EXECUTIVE, BOSS_PIN)

    codes = together(*(add(name) for name in ("ann", "bob", "cid", "dot")))
    assert len(codes) == 3 and set(codes) <= {"not_allowed", "stale_revision"}


def test_nobody_becomes_the_first_executive_while_somebody_else_does(
    sqlite_book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A PIN takes a while to hash: somebody may have become the first in the meantime."""
    slow, quick = (People(sqlite_book, Clock(), cost=QUICK) for _ in range(2))
    hash_pin = slow._pins.hash

    def hash_late(token: str, pin: str) -> str:
        quick.add_person("add-ann", "setup", "ann", Role.EXECUTIVE, BOSS_PIN)
        return hash_pin(token, pin)

    monkeypatch.setattr(slow._pins, "hash", hash_late)
    refused("stale_revision", lambda: slow.add_person("add-bob", "setup", "bob", Role.EXECUTIVE, BOSS_PIN))
    refused("unknown_person", lambda: quick.person("bob"))


def test_a_renewed_card_brings_somebody_back(floor: Floor) -> None:
    floor.people.withdraw("w", "boss", "mia")
    refused("unknown_person", lambda: floor.people.person("mia"))
    card = floor.people.renew_card("r", "boss", "mia", NEW_PIN)
    assert floor.people.present(card, NEW_PIN).role is Role.DEALER
    refused("unknown_person", lambda: floor.people.renew_card("r2", "boss", "nobody", NEW_PIN))


# Rights


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    book = open_store(str(tmp_path_factory.mktemp("staff") / "floor.db"))
    people = People(book, Clock(), cost=QUICK, demo=True)
    people.add_demo_people()
    yield people
    book.close()


@pytest.mark.parametrize("right", Right)
@pytest.mark.parametrize("role", Role)
def test_each_role_has_exactly_its_rights(staff: People, role: Role, right: Right) -> None:
    person = staff.person(f"demo-{role}")
    if role in RIGHTS[right]:
        staff.require(person, right, "something")
        return
    sentence = refused("not_allowed", lambda: staff.require(person, right, "something", where="here"))
    assert f'"{right}"' in sentence and all(holder in sentence for holder in RIGHTS[right])
    refusal = staff.log._book.refusals.between()[-1]
    assert (refusal.who, refusal.what, refusal.where) == (person.id, "something", "here")
    assert refusal.why == f"no right {right}"


def test_a_right_is_that_of_the_moment_whatever_the_caller_remembers(floor: Floor) -> None:
    floor.add("ann", Role.SUPERVISOR)
    ann = floor.people.person("ann")
    floor.people.require(ann, Right.APPROVE_AWARD, "award 1")
    floor.people.set_role("s", "boss", "ann", Role.AUDITOR)
    refused("not_allowed", lambda: floor.people.require(ann, Right.APPROVE_AWARD, "award 1"))
    floor.people.withdraw("w", "boss", "ann")
    refused("not_allowed", lambda: floor.people.require(ann, Right.SEE_AUDIT, "the log"))
    made_up = Person(id="eve", role=Role.EXECUTIVE)
    refused("not_allowed", lambda: floor.people.require(made_up, Right.APPROVE_AWARD, "award 1"))


# Default secrets


def test_demo_cards_open_a_demonstration_and_nothing_else(sqlite_book: Book) -> None:
    demo = People(sqlite_book, Clock(), cost=QUICK, demo=True)
    demo.add_demo_people()
    demo.add_demo_people()
    demo.require_no_default_secrets()
    assert {demo.present(each.card, each.pin).role for each in DEMO_PEOPLE} == set(Role)
    real = People(sqlite_book, Clock(), cost=QUICK)
    assert "demo-executive" in refused("default_secret", real.require_no_default_secrets)
    refused("default_secret", real.add_demo_people)
    for each in DEMO_PEOPLE:
        refused("default_secret", lambda each=each: real.present(each.card, each.pin))  # type: ignore[misc]
        refused("default_secret", lambda each=each: real.person_of(each.card))  # type: ignore[misc]
        refused("default_secret", lambda each=each: require_good_pin(each.pin, demo=False))  # type: ignore[misc]


def test_a_floor_without_demo_cards_starts(floor: Floor) -> None:
    floor.people.require_no_default_secrets()


def test_demo_pins_are_no_trivial_ones() -> None:
    for each in DEMO_PEOPLE:
        require_good_pin(each.pin, demo=True)


# Restarts and secrets


def test_a_new_server_on_the_same_ledger_knows_everyone(floor: Floor) -> None:
    floor.fail(MOST_FAILURES - 1)
    floor.people.set_role("s", "boss", "mia", Role.SUPERVISOR)
    again = floor.restarted()
    assert again.present(floor.mia_card, MIA_PIN) == Person(id="mia", role=Role.SUPERVISOR)
    refused("not_recognized", lambda: again.present(floor.mia_card, WRONG_PIN))
    refused("locked_out", lambda: floor.people.present(floor.mia_card, MIA_PIN))


def test_no_secret_is_in_the_database_or_in_what_is_said(floor: Floor, tmp_path: Path) -> None:
    said: list[str] = []

    def hear(do: Callable[[], object]) -> None:
        with pytest.raises(CroupierError) as refusal:
            do()
        said.extend((str(refusal.value), repr(refusal.value), repr(refusal.value.__cause__)))

    floor.add("tech", Role.TECHNICIAN)
    device = floor.devices.register_device("d", "tech", "t-1", "terminal", tables=("one",))
    session = floor.sessions.sign_in(floor.mia_card, MIA_PIN, "t-1")
    renewed = floor.people.renew_card("r", "boss", "tech", NEW_PIN)
    odd = "card-odd-\ud800"
    hear(lambda: floor.people.present(odd, WRONG_PIN))
    hear(lambda: floor.people.present(floor.mia_card, WRONG_PIN))
    hear(lambda: floor.people.present(floor.mia_card, WRONG_PIN, request_id="x"))
    hear(lambda: floor.people.change_pin("c", floor.mia_card, WRONG_PIN, NEW_PIN))
    hear(lambda: floor.people.add_person("add-mia", "boss", "mia", Role.DEALER, MIA_PIN))
    hear(lambda: floor.people.add_person("z", "boss", "zoe", Role.DEALER, MIA_PIN + "x"))
    hear(lambda: floor.sessions.session(session, device="t-2"))
    floor.sessions.sign_out(session)
    hear(lambda: floor.sessions.session(session))
    hear(lambda: floor.devices.device(device + "x"))
    record = floor.people.record("mia")
    said.extend(map(repr, (record, record.person, floor.devices.device(device), floor.book.refusals.between())))
    assert record.pin_hash not in repr(record) and record.card_sha256 not in repr(record)
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("floor.db*"))
    assert digest_of(floor.mia_card).encode() in stored, "the search looks at the right bytes"
    tokens = [floor.boss_card, floor.mia_card, renewed, device, session]
    for secret in [BOSS_PIN, MIA_PIN, NEW_PIN, WRONG_PIN, *tokens, *(token.partition("-")[2] for token in tokens)]:
        assert secret.encode() not in stored
        assert not any(secret in text for text in said)


def test_argon2_is_loaded_only_when_a_pin_is_hashed() -> None:
    code = "import sys, croupier.floor.sessions, croupier.floor.devices; sys.exit('argon2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["software", "Demo", "Anonymous"])
def test_nobody_gets_a_name_that_the_program_has_in_the_log(floor: Floor, name: str) -> None:
    with pytest.raises(CroupierError) as error:
        floor.add(name, Role.DEALER)
    assert error.value.code == "reserved_name"
