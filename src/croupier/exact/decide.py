"""A round run by the tree: what it comes to under a plan, or the best answer to every question."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from itertools import combinations
from math import comb, lcm, perm, sqrt
from os import cpu_count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK_SIZE, JOKER_CARD
from croupier.errors import NotComputedError
from croupier.exact import stages, tree
from croupier.exact.by_stages import Staged, account_stages, compiled, decide_stages, find_stages
from croupier.exact.keep import BetKey, is_kept, kept
from croupier.exact.shipped import shipped_arrays
from croupier.kernels.bets import Bet
from croupier.kernels.declaration import Round, RoundWager
from croupier.kernels.link import compile_cpu, link, plain
from croupier.kernels.rounds import find_round
from croupier.kernels.sets import canonical, set_of
from croupier.kernels.sights import QUESTIONS_AT, SightTables, answer_by_sight

Array = NDArray[np.int64]
Progress = Callable[[float], None]

TREE_WAGER = 2
"""Units of the first wager: half of it can be returned."""
WEIGHT_BOUND = 2**62
"""Weights stay below it."""
PARTS = 24
"""Parts that the deals are looked at in, so that a bar can move."""
FOUND = 0.1
"""Share of the work of a staged round that finding its questions is, and counting how rounds end."""
SIDE = "side"
"""The side wager among the endings, where one is counted."""
NO_MOMENT = -1
MOST_SETS = 300_000
"""Sets of first cards of which equal ones, but for their suits, are looked for."""


@dataclass(frozen=True)
class Deck:
    """The cards of a game, by class: all of them, or by rank alone."""

    cards: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.counts)


def full_deck(declared: Round, decks: int) -> Deck:
    """All cards, or a card of each rank where suits do not matter."""
    if declared.suits_matter:
        return Deck(tuple(range(declared.deck_size)), (decks,) * declared.deck_size)
    return Deck(tuple(range(0, DECK_SIZE, 4)), (4 * decks,) * (DECK_SIZE // 4))


@dataclass(frozen=True)
class OneSeatGame:
    """A round to be decided: rules for one seat, deck, and profit by wager and outcome."""

    declared: Round
    name: str
    rules: Any
    deck: Deck
    pays: Mapping[tuple[str, str], Fraction]
    """Profit of each outcome for each unit of its wager; one that is not named loses."""
    side: tuple[Bet, int] | None = None
    """A side wager that is counted too, with its options packed."""

    def __reduce__(self) -> Any:
        """A declaration holds functions, which cannot be sent to another process: it is found there by its name."""
        return _game_of_round, (self.name, self.rules, self.deck, self.pays, self.side)

    @property
    def most_cards(self) -> int:
        """The most cards of a round that anybody sees; where nobody can say, as many as can be counted."""
        if self.declared.most_cards:
            return self.declared.most_cards - self.declared.most_burned
        total = self.deck.total
        return max(number for number in range(total + 1) if perm(total, number) <= WEIGHT_BOUND)

    @property
    def deals(self) -> int:
        """In how many ways these can lie."""
        return perm(self.deck.total, self.most_cards)

    @property
    def scale(self) -> int:
        return lcm(*(pay.denominator for pay in self.pays.values()))

    @property
    def wagers(self) -> tuple[RoundWager, ...]:
        """All that are counted."""
        if self.side is None:
            return self.declared.wagers
        bet, _ = self.side
        return (*self.declared.wagers, RoundWager(id=SIDE, outcomes=bet.outcomes, is_apart=True))

    @property
    def cells(self) -> list[int]:
        """Where the cells of each wager begin: losing, then its outcomes."""
        sizes = [len(wager.outcomes) + 1 for wager in self.wagers]
        return [sum(sizes[:number]) for number in range(len(sizes))]

    @property
    def endings(self) -> list[tuple[RoundWager, str]]:
        """Wager and outcome of each cell."""
        return [(wager, name) for wager in self.wagers for name in ("lose", *wager.outcomes)]


def _game_of_round(name: str, *more: Any) -> OneSeatGame:
    declared = find_round(name)
    assert declared is not None
    return OneSeatGame(declared, name, *more)


@dataclass(frozen=True)
class Decision:
    """What to do at one sight."""

    question: int
    sight: int
    answer: int
    weight: Fraction
    """How likely it is to be asked so."""
    values: dict[int, Fraction]
    """Mean profit of the round, in first wagers, by answer."""


@dataclass(frozen=True, kw_only=True)
class Played:
    """A round under some answers, in first wagers of one hand, exactly. Wagers that are apart are in `endings` only."""

    game: OneSeatGame
    edge: Fraction
    square: Fraction
    staked: Fraction
    """Mean of all the money at risk in the end."""
    endings: dict[tuple[str, str], tuple[Fraction, Fraction, Fraction]]
    """By wager and outcome: how often, with how much money, for what profit."""
    deals: int
    """In how many ways the cards of a round can lie."""

    @property
    def standard_deviation(self) -> float:
        return sqrt(float(self.square - self.edge**2))


@dataclass(frozen=True, kw_only=True)
class Decided(Played):
    """A round under the best answers."""

    levels: tuple[tuple[_Sums, Any], ...] = field(repr=False, compare=False)
    """Sums of each level of questions, and how many deals come to each question."""
    ties: int
    """Sights at which another answer is worth the same; the one with more money at risk is taken."""

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """In order of question and sight; hundreds of thousands in some games, so not before they are asked for."""
        decisions = [decision for sums, ways in self.levels for decision in _decisions(self.game, sums, ways)]
        return tuple(sorted(decisions, key=lambda decision: (decision.question, decision.sight)))

    def at(self, question: int, sight: int) -> Decision:
        """The decision at one sight; they lie in order of question and sight."""
        place = bisect_left(self.decisions, (question, sight), key=lambda one: (one.question, one.sight))
        return self.decisions[place]

    @property
    def tables(self) -> SightTables:
        """As a simulation reads them."""
        return sight_tables(
            {(decision.sight << QUESTIONS_AT | decision.question): decision.answer for decision in self.decisions}
        )


def sight_tables(answers: Mapping[int, int]) -> SightTables:
    keys = sorted(answers) or [0]
    in_order = [answers.get(key, 0) for key in keys]
    return SightTables(np.array(keys, np.int64), np.array(in_order, np.int64))


@dataclass
class _Sums:
    """Sums by key and answer, of one level of questions."""

    keys: Array
    legal: Array
    rows: Array
    """By key, answer and cell, in two words."""
    asked: int = 0
    """The most questions of a round."""


def whole_sums(words: Array) -> Any:
    """Sums of two words: as integers of Python, where they are too large for others."""
    if words.size and np.abs(words[..., 0]).max() < 1 << tree.WORD - 1 and np.abs(words[..., 1]).max() < 1 << 60:
        return (words[..., 0] << tree.WORD) + words[..., 1]
    return (words[..., 0].astype(object) << tree.WORD) + words[..., 1].astype(object)


def evaluate(game: OneSeatGame, tables: Any) -> Played:
    """What a round comes to when every question is answered from these tables as the round declares."""
    if _is_staged(game) and game.side is None:
        return _evaluate_staged(game, tables)
    sums = _explore(game, tree.NONE, tables, _unheard)
    return Played(**account_of(game, whole_sums(sums.rows.sum((0, 1)))))


def decide(game: OneSeatGame, progress: Progress | None = None, *, keep: bool = True) -> Decided:
    """Decides a round, or takes what was decided from disk; without `keep` nothing is left there."""

    def make() -> tuple[Array, ...]:
        answers: dict[int, int] = {}
        arrays: list[Array] = []
        levels = game.declared.most_asked or _explore(game, tree.MOST_STEPS, sight_tables({}), _unheard).asked
        for level in range(levels - 1, -1, -1):
            tell = _part_of(progress, levels - 1 - level, levels)
            sums = _explore(game, level, sight_tables(answers), tell)
            best, _ = _best(sums)
            pairs = zip(sums.keys.tolist(), best.tolist(), strict=True)
            answers |= {key: answer for key, answer in pairs if key != tree.NOT_ASKED}
            arrays += [sums.keys, sums.legal, sums.rows]
        return tuple(arrays)

    if _is_staged(game):
        heard = progress or _unheard
        staged = partial(_decide_staged, game, heard)
        arrays = kept(kept_name(game), tree_sources(game), staged, ships=True) if keep else staged()
        return _result_of_stages(game, arrays)
    arrays = kept(kept_name(game), tree_sources(game), make, ships=True) if keep else make()
    return _result(game, [_Sums(*arrays[at : at + 3]) for at in range(0, len(arrays), 3)])


def _unheard(share: float) -> None:
    """Progress that nobody asked for."""


def is_decided_already(game: OneSeatGame) -> bool:
    """Whether `decide` would find it on disk."""
    return is_kept(kept_name(game), tree_sources(game))


def values_at_hand(game: OneSeatGame, question: int, sight: int) -> dict[int, Fraction] | None:
    """What each answer is worth at one sight, read from what came with the package without building all the others;
    None where nothing did."""
    arrays = _shipped(kept_name(game))
    if arrays is None:
        return None
    width = 4 if _is_staged(game) else 3
    for at in range(0, len(arrays) - len(arrays) % width, width):
        keys, legal, rows = arrays[at : at + 3]
        places = np.flatnonzero(keys == (sight << QUESTIONS_AT | question))
        if len(places):
            sums = _Sums(keys[places], legal[places], rows[places])
            return _decisions(game, sums, np.zeros(len(places)))[0].values
    return None


@lru_cache(8)
def _shipped(name: str) -> tuple[Array, ...] | None:
    return shipped_arrays(name)


def kept_name(game: OneSeatGame) -> str:
    """What is kept of a game goes by this name."""
    identity = (game.rules, game.deck, sorted(game.pays.items()), game.declared.most_asked)
    return f"tree-{game.name}-{hashlib.sha256(repr(identity).encode()).hexdigest()[:16]}"


def tree_sources(game: OneSeatGame) -> list[Any]:
    return [tree, stages, game.declared.play, _explore, find_stages]


def _part_of(progress: Progress | None, done: int, parts: int) -> Progress:
    return (lambda share: progress((done + share) / parts)) if progress else _unheard


def _best(sums: _Sums) -> tuple[Array, Array]:
    """Of each key the best answer, with more money at risk among equals, and whether there were equals.

    An answer after which the cards can run out has less weight than one after which they cannot, and is not given.
    """
    return best_of(sums.legal, sums.rows)


def best_of(legal: Array, rows: Array) -> tuple[Array, Array]:
    """By legal answers and sums, the best answer of each question, and whether there were equals."""
    weight, profit, staked = (whole_sums(rows[:, :, column]) for column in (tree.WEIGHT, tree.PROFIT, tree.STAKED))
    every = np.arange(len(legal))
    best = np.full(len(legal), -1)
    is_tie = np.zeros(len(legal), bool)
    for answer in range(rows.shape[1]):
        is_legal = legal >> answer & 1 == 1
        before = (weight[every, best], profit[every, best], staked[every, best])
        now = (weight[:, answer], profit[:, answer], staked[:, answer])
        alike = (now[0] == before[0]) & (now[1] == before[1])
        is_first = best < 0
        more = (now[0] > before[0]) | ((now[0] == before[0]) & (now[1] > before[1]))
        is_tie = np.where(is_legal & ~is_first & alike, True, is_tie & ~(is_legal & more))
        best = np.where(is_legal & (is_first | more | (alike & (now[2] > before[2]))), answer, best)
    return best, is_tie


def account_of(game: OneSeatGame, total: Any, ways: int = 0) -> dict[str, Any]:
    """The fields of `Played`, from one row of sums over everything; `ways` is how many deals there are, where they are
    not counted in order."""
    deals = ways or game.deals
    total = [int(value) for value in total]  # fractions of NumPy's integers would overflow
    unit = TREE_WAGER * game.scale
    if total[tree.WEIGHT] != deals:
        raise NotComputedError(
            f"The deals of {game.name} add up to {total[tree.WEIGHT]}, not to the {deals} there are.",
            code="ways_mismatch",
        )
    endings = {}
    for cell, (wager, outcome) in enumerate(game.endings):
        often, money = total[tree.PLAIN_SUMS + 2 * cell], total[tree.PLAIN_SUMS + 2 * cell + 1]
        if often:
            staked = Fraction(money, deals * TREE_WAGER)
            profit = staked * game.pays.get((wager.id, outcome), Fraction(-1))
            endings[wager.id, outcome] = (Fraction(often, deals), staked * (not wager.pays_on), profit)
    return {
        "game": game,
        "edge": -Fraction(total[tree.PROFIT], deals * unit),
        "square": Fraction(total[tree.SQUARE], deals * unit**2),
        "staked": Fraction(total[tree.STAKED], deals * TREE_WAGER),
        "endings": endings,
        "deals": deals,
    }


def _result(game: OneSeatGame, levels: list[_Sums]) -> Decided:
    first = levels[-1]  # the first question is decided last, by sums over everything
    best, _ = _best(first)
    return Decided(
        **account_of(game, whole_sums(first.rows[np.arange(len(best)), best]).astype(object).sum(0)),
        levels=tuple((sums, _ways_after(sums.rows, _best(sums)[0])) for sums in levels),
        ties=sum(int(_best(sums)[1].sum()) for sums in levels),
    )


def _ways_after(rows: Array, best: Array) -> Any:
    """In how many ways the cards lie after the best answers."""
    return whole_sums(rows[:, :, tree.WEIGHT])[np.arange(len(best)), best]


def _decisions(game: OneSeatGame, sums: _Sums, ways: Any) -> list[Decision]:
    """The decisions of one level; `ways` says how many deals come to each."""
    decisions = []
    unit = TREE_WAGER * game.scale
    columns = (_best(sums)[0], whole_sums(sums.rows[:, :, tree.WEIGHT]), whole_sums(sums.rows[:, :, tree.PROFIT]), ways)
    for key, best, weight, profit, times in zip(
        sums.keys.tolist(), *(column.tolist() for column in columns), strict=True
    ):
        if key == tree.NOT_ASKED:
            continue
        values = {answer: Fraction(profit[answer], of * unit) for answer, of in enumerate(weight) if of}
        question = key & (1 << QUESTIONS_AT) - 1
        decisions.append(Decision(question, key >> QUESTIONS_AT, best, Fraction(int(times), game.deals), values))
    return decisions


# Where sights tell all.


def _is_staged(game: OneSeatGame) -> bool:
    return game.declared.sight_tells_all and game.declared.answer is answer_by_sight


def staged_of(game: OneSeatGame) -> Staged:
    """The round to run stage by stage."""
    _check_deals(game)
    starts, weights = _starts(game)

    def tree_at(level: int) -> tree.Tree:
        return new_tree(game, level, sight_tables({}))._replace(flags=np.zeros(stages.STAGE_FLAGS, np.int64))

    return Staged(
        run=compiled(game.declared.play, game.name),
        new_tree=tree_at,
        check=lambda walked: check_refused(game, walked),
        starts=starts,
        weights=weights,
        answers=max(len(question.choices) for question in game.declared.questions),
        cells=tree.PLAIN_SUMS + 2 * len(game.endings),
        steps=min(game.most_cards + tree.MOST_ANSWERS, tree.MOST_STEPS),
    )


def _decide_staged(game: OneSeatGame, progress: Progress) -> tuple[Array, ...]:
    """Of each stage its questions, legal answers, sums and ways to come there; then one row of sums over everything."""
    staged = staged_of(game)
    stages = find_stages(staged, _unheard)
    progress(FOUND)
    sums = decide_stages(
        staged,
        stages,
        lambda legal, rows: best_of(legal, rows)[0],
        lambda done: progress(FOUND + (1 - 2 * FOUND) * done / len(stages)),
    )
    answers = [best_of(stage.legal, rows)[0] for stage, rows in zip(stages, sums, strict=True)]
    total, reached = account_stages(staged, stages, answers)
    progress(1)
    arrays: list[Array] = []
    for stage, rows, ways in zip(stages, sums, reached, strict=True):
        arrays += [stage.keys, stage.legal, rows, ways]
    return (*arrays, total)


def _result_of_stages(game: OneSeatGame, arrays: tuple[Array, ...]) -> Decided:
    levels: list[tuple[_Sums, Any]] = []
    ties = 0
    for keys, legal, rows, ways in zip(*(arrays[at:-1:4] for at in range(4)), strict=True):
        sums = _Sums(keys, legal, rows)
        best, is_tie = _best(sums)
        ties += int(is_tie.sum())
        levels.append((sums, ways.astype(object) * _ways_after(rows, best).astype(object)))
    return Decided(**account_of(game, whole_sums(arrays[-1])), levels=tuple(levels), ties=ties)


def _evaluate_staged(game: OneSeatGame, tables: SightTables) -> Played:
    staged = staged_of(game)
    stages = find_stages(staged, _unheard)
    answers = [tables.answers[np.searchsorted(tables.keys, stage.keys)] for stage in stages]
    return Played(**account_of(game, whole_sums(account_stages(staged, stages, answers)[0])))


# Exploring, in threads.


REFUSALS = {
    tree.TOO_MUCH_SEEN: "a seat sees more than can be told apart",
    tree.TOO_MUCH_MONEY: "a round may come to more money than can be counted",
    tree.UNLIKE: "a seat is asked differently where it has seen the same",
}


def _check_deals(game: OneSeatGame) -> None:
    if game.deals > WEIGHT_BOUND:
        raise NotComputedError(f"{game.name} has too many deals to be counted one by one.", code="too_many_deals")


def check_refused(game: OneSeatGame, walked: tree.Tree) -> None:
    """Raises if the tree refused a run."""
    if walked.flags[tree.REFUSED]:
        reason = REFUSALS[int(walked.flags[tree.REFUSED])]
        raise NotComputedError(f"{game.name} cannot be counted: {reason}.", code="too_many_deals")


def _explore(game: OneSeatGame, level: int, tables: Any, progress: Progress) -> _Sums:
    """Sums over all deals for the questions of one level."""
    _check_deals(game)
    starts, weights = _starts(game)
    run = _compiled(game, level)
    pieces = [(starts[part::PARTS], weights[part::PARTS]) for part in range(PARTS)]
    parts = []
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        jobs = [pool.submit(_explore_part, game, run, level, tables, *piece) for piece in pieces if len(piece[0])]
        for number, job in enumerate(jobs, 1):
            parts.append(job.result())
            progress(number / len(jobs))
    return _merged(parts)


def _explore_part(
    game: OneSeatGame, run: Callable[..., bool], level: int, tables: Any, starts: Array, weights: Array
) -> _Sums:
    size = 1 << (10 if level != tree.NONE else 0)
    while True:
        keys, legal = np.full(size, tree.NO_KEY, np.int64), np.zeros(size, np.int64)
        sums = np.zeros((size, tree.MOST_ANSWERS, tree.PLAIN_SUMS + 2 * len(game.endings), 2), np.int64)
        walked = new_tree(game, level, tables)
        if run(walked, starts, weights, keys, legal, sums):
            check_refused(game, walked)
            used = keys != tree.NO_KEY
            return _Sums(keys[used], legal[used], sums[used], int(walked.flags[tree.ASKED]))
        size *= 4


def new_tree(game: OneSeatGame, level: int, tables: Any) -> tree.Tree:
    """What a run reads and writes, with nothing on its path."""
    most, total = game.most_cards, game.deck.total
    pays = [game.pays.get((wager.id, outcome), Fraction(-1)) * game.scale for wager, outcome in game.endings]
    symbols = len(game.deck.cards) + max(len(question.choices) for question in game.declared.questions)
    kinds = [2 if wager.is_apart else 1 if wager.pays_on else 0 for wager in game.wagers]
    side = [NO_MOMENT, 0, 0] if game.side is None else [game.side[0].scene.moment, len(game.wagers) - 1, game.side[1]]

    def zeros(*shape: int) -> Array:
        return np.zeros(shape, np.int64)

    def numbers(values: Iterable[int]) -> Array:
        return np.array(list(values), np.int64)

    return tree.Tree(
        cards=numbers(game.deck.cards),
        bits=numbers(set_of([card]) for card in game.deck.cards),
        counts=numbers(game.deck.counts),
        left=zeros(len(game.deck.counts)),
        tails=numbers(perm(total - taken, most - taken) for taken in range(most + 1)),
        path=zeros(tree.MOST_STEPS),
        kinds=zeros(tree.MOST_STEPS),
        places=zeros(tree.MOST_STEPS),
        ways=zeros(tree.MOST_STEPS),
        legal=zeros(tree.MOST_STEPS),
        flags=zeros(tree.FLAGS),
        ended=zeros(tree.MOST_ENDED, 2),
        pays=numbers(int(pay) for pay in pays),
        cells=numbers(game.cells),
        stakeless=numbers(kinds),
        hidden=numbers(place.number for place in game.declared.places if place.face == "down"),
        symbols=symbols,
        room=tree.MOST_SEEN // symbols,
        memory=zeros(game.declared.memory),
        stakes=numbers(game.declared.stakes(TREE_WAGER, TREE_WAGER)),
        rules=game.rules,
        tables=tables,
        side=numbers(side),
        level=level,
    )


def _merged(parts: list[_Sums]) -> _Sums:
    """The same keys of several parts added up."""
    keys, where = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
    rows = np.zeros((len(keys), *parts[0].rows.shape[1:]), np.int64)
    np.add.at(rows, where, np.concatenate([part.rows for part in parts]))
    legal = np.zeros(len(keys), np.int64)
    legal[where] = np.concatenate([part.legal for part in parts])
    return _Sums(keys, legal, rows, max(part.asked for part in parts))


EFFECTS = {name: getattr(tree, name) for name in ("draw", "deal", "ask", "stake", "pay", "returned", "settle", "tell")}


BY_SIGHT: dict[str, Any] = {"known": tree.by_sight, "note_card": tree.note_nothing, "note_answer": tree.note_nothing}
BY_CARDS: dict[str, Any] = {"known": tree.by_cards, "note_card": tree.see_card, "note_answer": tree.see_answer}
"""What a seat decides by. Where a sight says it all, nothing needs to be noted on the way."""


@cache
def _linked(play: Any, answer: Any, name: str, *, by_sight: bool) -> Any:
    knowing = BY_SIGHT if by_sight else BY_CARDS
    return compile_cpu(tree.explore, name, {**EFFECTS, "play": play, "answer_of": answer, **knowing})


@cache
def _linked_beside(play: Any, answer: Any, name: str, side: BetKey) -> Any:
    """With a side wager that is counted too; plans answer the questions."""
    settle: dict[str, Any] = {"settle": tree.settle_side, "classify": side.bet.classify}
    return compile_cpu(
        tree.explore, f"tree-side-{name}", {**EFFECTS, **settle, "play": play, "answer_of": answer, **BY_SIGHT}
    )


def _compiled(game: OneSeatGame, level: int) -> Callable[..., bool]:
    """The tree of a round. Where sights are not all that a seat knows, questions are decided by what it has seen."""
    declared = game.declared
    if game.side is not None:
        run: Callable[..., bool] = _linked_beside(declared.play, declared.answer, game.name, BetKey(game.side[0]))
    elif level == tree.NONE or declared.answer is answer_by_sight:
        run = _linked(declared.play, declared.answer, f"tree-{game.name}", by_sight=True)
    else:
        run = _linked(declared.play, answer_by_sight, f"tree-seen-{game.name}", by_sight=False)
    return run


def _starts(game: OneSeatGame) -> tuple[Array, Array]:
    """The first cards to begin with: sets up to exchange of suits, each with how many there are of it; else each card
    by itself."""
    count = first_dealt(game)
    classes = [number for number, left in enumerate(game.deck.counts) if left]
    single = all(left == 1 for left in game.deck.counts)
    if not single or not count or comb(len(classes), count) > MOST_SETS or not _has_all_suits(game.deck):
        return np.array(classes, np.int64)[:, None], np.ones(len(classes), np.int64)
    by_form: dict[int, tuple[tuple[int, ...], int]] = {}
    for chosen in combinations(reversed(classes), count):
        form = canonical(set_of([game.deck.cards[number] for number in chosen]))
        first, times = by_form.get(form, (chosen, 0))
        by_form[form] = (first, times + 1)
    starts = np.array([first for first, _ in by_form.values()], np.int64)
    return starts, np.array([times for _, times in by_form.values()], np.int64)


def _has_all_suits(deck: Deck) -> bool:
    """Suits may be exchanged only in a deck that has each rank in all of them; a joker has none."""
    ranks = [card >> 2 for card in deck.cards if card != JOKER_CARD]
    return all(ranks.count(rank) == 4 for rank in ranks)


class _DealtError(Exception):
    """Leaves a round at its first cards."""


def first_dealt(game: OneSeatGame) -> int:
    """How many cards the round deals first, as a set; 0 if it draws one."""

    def deal(world: Any, table: Any, place: int, count: int) -> Any:
        table.append(count)
        raise _DealtError

    def draw(world: Any, table: Any, place: int) -> Any:
        table.append(0)
        raise _DealtError

    first: list[int] = []
    keep = {name: effect for name, effect in EFFECTS.items() if name not in ("deal", "draw")}
    round_ = link(game.declared.play, plain, {**keep, "deal": _Call(deal), "draw": _Call(draw)})
    with suppress(_DealtError):
        round_(
            (0, 0, 0, 1, 0, 0, tree.NOTHING_SEEN),
            first,
            [0] * game.declared.memory,
            game.declared.stakes(TREE_WAGER),
            game.rules,
        )
    return first[0] if first else 0


@dataclass(frozen=True)
class _Call:
    """A function that linking leaves as it is, with what it remembers."""

    function: Callable[..., Any]

    def __call__(self, *values: Any) -> Any:
        return self.function(*values)
