"""The lab's form: its fields as a draft, and a draft as an address that can be shared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.datastructures import ImmutableMultiDict, UploadFile

from croupier.errors import NotationError, RangeError, unknown
from croupier.lab.draft import ADDED, NEW_PAYS, Draft, Opened
from croupier.lab.game_file import require_size
from croupier.rules.choice import Choice
from croupier.rules.registry import find_game, game_ids
from croupier.web.pages.choosing import SWITCH, decks_text, sides_of

Fields = ImmutableMultiDict[str, str | UploadFile]

LAB = "/lab"
PAYS, LABEL = "pays.", "label."
_PLAIN = ("game", "file", "wager", "pay_table", "decks", "side")
_REPEATED = ("off", "add")
_ASKING = ("solve_row", "solve_edge", "use", "do", "of", "csrf", "upload")
_LONGEST = 200
"""Of any field but the file of an own game."""
_MOST_FIELDS = 400
"""Several times what the form of the longest pay table has."""
COMPUTE, EFFECTS, PROTECT = "compute", "effects", "protect"
"""What a button asks of a wager that is played, whose figures take too long to follow typing."""


@dataclass(frozen=True, kw_only=True)
class DraftQuestion:
    """A draft and what somebody wants to know of it."""

    draft: Draft
    solve_row: str = ""
    solve_edge: str = ""
    wants: str = ""


def read_address(fields: Fields) -> DraftQuestion:
    """The draft of an address. It has no file: any page of anybody could send a browser there with one."""
    if "file" in fields:
        raise NotationError(
            "A file does not go into an address. Open it with the button on the lab's page.", code="file_in_address"
        )
    return read_form(fields)


def read_form(fields: Fields) -> DraftQuestion:
    """The draft of a form, whose file nobody has parsed yet. Where another game, wager or pay table was chosen than its
    rows are of, they are left behind."""
    texts = _texts(fields)
    game, file = texts.get("game", ""), texts.get("file", "").replace("\r\n", "\n")
    if not game and not file:
        game = min(game_ids(), key=lambda name: not find_game(name).source.is_letter)
    draft = Draft(
        game=game,
        file="" if game else file,
        wager=texts.get("wager", ""),
        pay_table=texts.get("pay_table", ""),
        decks=texts.get("decks", ""),
        side=texts.get("side", ""),
        settings=_named(texts, SWITCH),
        pays=_named(texts, PAYS),
        labels=_named(texts, LABEL),
        removed=tuple(dict.fromkeys(str(key) for key in fields.getlist("off") if key)),
    )
    # A row to solve for is one of the wager's whose form this was.
    is_another = _leaves_wager(draft, texts.get("of", ""))
    return DraftQuestion(
        draft=_with_use(_with_additions(_without_what_is_left(draft, texts.get("of", "")), fields), texts),
        solve_row="" if is_another else texts.get("solve_row", ""),
        solve_edge="" if is_another else texts.get("solve_edge", "").strip(),
        wants=texts["do"] if texts.get("do") in (COMPUTE, EFFECTS, PROTECT) else "",
    )


def _texts(fields: Fields) -> dict[str, str]:
    """All fields with one value. A name with a typing error would go unheard and show other odds than asked for."""
    texts = {}
    accepted = (*_PLAIN, *_REPEATED, *_ASKING)
    sent = fields.multi_items()
    if len(sent) > _MOST_FIELDS:
        raise RangeError(f"{len(sent):,} fields were sent. A draft has at most {_MOST_FIELDS}.", code="bad_field")
    for name, value in sent:
        if not isinstance(value, str):
            continue
        if name not in accepted and not name.startswith((SWITCH, PAYS, LABEL)):
            raise unknown("field", name, [*accepted, f"{SWITCH}SWITCH", f"{PAYS}ROW", f"{LABEL}ROW"])
        if name == "file":
            require_size(len(value.encode("utf-8", "surrogatepass")))
        elif len(value) > _LONGEST:
            raise RangeError(f"{name}: write at most {_LONGEST} characters.", code="bad_field")
        if name not in _REPEATED:
            texts[name] = value
    return texts


def _named(texts: dict[str, str], prefix: str) -> tuple[tuple[str, str], ...]:
    return tuple((name.removeprefix(prefix), text) for name, text in texts.items() if name.startswith(prefix))


def _without_what_is_left(draft: Draft, of: str) -> Draft:
    """`of` says what the form's rows are of."""
    game, _, rest = of.partition("/")
    wager, _, pay_table = rest.partition("/")
    if of and draft.game != game:
        return Draft(game=draft.game, file=draft.file, wager="")
    if of and draft.wager != wager:
        return Draft(game=draft.game, file=draft.file, wager=draft.wager, decks=draft.decks, settings=draft.settings)
    if of and draft.pay_table != pay_table:
        return replace(draft, pays=(), labels=(), removed=())
    return draft


def _leaves_wager(draft: Draft, of: str) -> bool:
    game, _, rest = of.partition("/")
    return bool(of) and (draft.game, draft.wager) != (game, rest.partition("/")[0])


def _with_use(draft: Draft, texts: dict[str, str]) -> Draft:
    """A pay that was solved for, put into its row: `ROW=PAY`."""
    key, is_there, pays = texts.get("use", "").partition("=")
    return replace(draft, pays=tuple((dict(draft.pays) | {key: pays}).items())) if is_there else draft


def of_what(opened: Opened) -> str:
    return f"{opened.draft.game}/{opened.draft.wager}/{opened.start.pay_table.id}"


def _with_additions(draft: Draft, fields: Fields) -> Draft:
    """Rows that were added: a new one when its outcome is chosen, gone when it is taken off."""
    off = {key for key in draft.removed if key.startswith(ADDED)}
    new = [f"{ADDED}{outcome}" for outcome in fields.getlist("add") if isinstance(outcome, str) and outcome]
    pays = {key: text for key, text in draft.pays if key not in off}
    for key in new:
        pays.setdefault(key, NEW_PAYS)
    return replace(
        draft,
        pays=tuple(pays.items()),
        labels=tuple((key, text) for key, text in draft.labels if key not in off),
        removed=tuple(key for key in draft.removed if key not in off),
    )


def lab_address(choice: Choice) -> str:
    """Where a choice of rules is opened in the lab, as it stands."""
    usual = {switch.id: switch.default for switch in choice.game.switches} | choice.pay_table.settings
    draft = Draft(
        game=choice.game.id,
        wager=choice.wager.id,
        pay_table=choice.pay_table.id if choice.wager.pay_tables else "",
        decks=decks_text(choice),
        side=choice.side if sides_of(choice) else "",
        settings=tuple((name, value) for name, value in choice.switches.items() if value != usual[name]),
    )
    return address_of(DraftQuestion(draft=draft))


def address_of(question: DraftQuestion) -> str:
    """The address of a draft of an approved game: what differs from the letter, and nothing else. An own game's file
    is too long for an address."""
    draft = question.draft
    if draft.file:
        return LAB
    fields = [
        ("game", draft.game),
        ("wager", draft.wager),
        ("pay_table", draft.pay_table),
        ("decks", draft.decks),
        ("side", draft.side),
        *((f"{SWITCH}{name}", value) for name, value in draft.settings),
        *((f"{PAYS}{key}", text) for key, text in draft.pays),
        *((f"{LABEL}{key}", text) for key, text in draft.labels),
        *(("off", key) for key in draft.removed),
        ("solve_row", question.solve_row if question.solve_edge else ""),
        ("solve_edge", question.solve_edge),
        ("do", question.wants),
    ]
    kept = [(name, text) for name, text in fields if text or name.startswith((PAYS, LABEL))]
    return f"{LAB}?{urlencode(kept)}"
