"""Strategy for people: the best answers by kinds of sights, as few lines as matter, and rules that people know."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from croupier.exact.decide import Decided, Decision, OneSeatGame, evaluate, kept_name, sight_tables, tree_sources
from croupier.exact.keep import Arrays, kept
from croupier.exact.strategy.result import Followed
from croupier.kernels.declaration import Question, RuleOfThumb
from croupier.kernels.sights import key_of

LEAST_GAIN = 3e-7
"""What a further line of a chart must be worth, in first wagers."""
OTHERWISE = "otherwise"
_THIS = sys.modules[__name__]


@dataclass(frozen=True)
class RuleLine:
    """A line of a chart: the words of a kind, and what to do."""

    words: tuple[str, ...]
    answer: int


Kind = tuple[str, ...]
Worth = Mapping[int, float]
"""By answer, in first wagers, weighed by how likely the sight is."""
Weighed = Sequence[tuple[Kind, float, Worth]]
"""Sights by kind: what the best answer is worth, and what each is."""


def chart_lines(decisions: Iterable[Decision], kind_of: Callable[[int, int], Kind]) -> list[RuleLine]:
    """The lines of one question: those that say more come before those that hold otherwise."""
    weighed = []
    for decision in decisions:
        weight = float(decision.weight)
        worth = {answer: weight * float(value) for answer, value in decision.values.items()}
        weighed.append((kind_of(decision.question, decision.sight), worth[decision.answer], worth))
    return _lines(weighed, ())


def _worth(weighed: Weighed) -> dict[int, float]:
    """What each answer is worth to all of them, where all have it."""
    legal = set.intersection(*(set(worth) for _, _, worth in weighed))
    return {answer: sum(worth[answer] for _, _, worth in weighed) for answer in sorted(legal)}


def _lines(weighed: Weighed, words: Kind) -> list[RuleLine]:
    worth = _worth(weighed)
    best = max(worth, key=lambda answer: worth[answer])
    alone = [RuleLine(words, best)]
    if sum(most for _, most, _ in weighed) - worth[best] < LEAST_GAIN:
        return alone
    parts: dict[str, list[tuple[Kind, float, Worth]]] = defaultdict(list)
    for one in weighed:
        kind = one[0]
        if len(kind) > len(words):
            parts[kind[len(words)]].append(one)
    if not parts or sum(len(part) for part in parts.values()) < len(weighed):
        return alone
    lines = {word: _lines(part, (*words, word)) for word, part in parts.items()}
    whole = {word: part[0].answer for word, part in lines.items() if len(part) == 1}
    most = _most_frequent(whole, parts)
    told = [line for word, part in lines.items() if word not in whole or whole[word] != most for line in part]
    return [*told, RuleLine((*words, OTHERWISE), most)] if most >= 0 else told


def _most_frequent(whole: Mapping[str, int], parts: Mapping[str, Weighed]) -> int:
    """The answer that most kinds have, and of those the one that more sights have; -1 where none has one."""
    often: dict[int, tuple[int, int]] = {}
    for word, answer in whole.items():
        kinds, sights = often.get(answer, (0, 0))
        often[answer] = (kinds + 1, sights + len(parts[word]))
    return max(often, key=lambda answer: often[answer]) if often else -1


def grid_of(lines: Sequence[RuleLine], question: Question) -> dict[str, dict[str, str]]:
    """As charts are shown."""
    only = len(lines) == 1
    return {
        "any hand" if only else "everything else" if line.words == (OTHERWISE,) else ", ".join(line.words): {
            "answer": question.words[line.answer]
        }
        for line in lines
    }


def answers_by(
    lines: Sequence[RuleLine], decisions: Iterable[Decision], kind_of: Callable[[int, int], Kind]
) -> dict[int, int]:
    """What the lines say at each sight, by key."""
    exact = {line.words: line.answer for line in lines}
    return {
        key_of(decision.sight, decision.question): exact[line_for(exact, kind_of(decision.question, decision.sight))]
        for decision in decisions
    }


def line_for(lines: Container[Kind], kind: Kind) -> Kind:
    """The words of the line that a kind of sights stands under."""
    parts = [kind[:length] for length in range(len(kind), -1, -1)]
    for part in parts:
        if part in lines:
            return part
    return next((*part, OTHERWISE) for part in parts if (*part, OTHERWISE) in lines)


def edge_under(game: OneSeatGame, answers: Mapping[int, int]) -> Fraction:
    """The edge where every question is answered so."""
    return evaluate(game, sight_tables(answers)).edge


def kept_edges(
    game: OneSeatGame, name: str, sources: Iterable[Callable[..., Any]], make: Callable[[], Iterable[Fraction]]
) -> list[Fraction]:
    """Edges under rules for people, which take longer to find than the best answers; `sources` are what the rules are
    made of."""

    def edges() -> Arrays:
        return (np.array([str(edge) for edge in make()]),)

    [texts] = kept(f"{name}-{kept_name(game)}", [*tree_sources(game), _THIS, *sources], edges, ships=True)
    return [Fraction(text) for text in texts.tolist()]


def follow(decided: Decided) -> tuple[Followed, ...]:
    """The rules that people know of this round, each with its exact edge."""
    game = decided.game
    rules = game.declared.rules_of_thumb
    if not rules:
        return ()
    edges = kept_edges(
        game, "rules", [rule.answer for rule in rules], lambda: [edge_under(game, _by(rule, decided)) for rule in rules]
    )
    return tuple(
        Followed(rule.id, rule.text, float(edge), float(edge - decided.edge))
        for rule, edge in zip(rules, edges, strict=True)
    )


def _by(rule: RuleOfThumb, decided: Decided) -> dict[int, int]:
    """What a rule says at each sight, by key."""
    return {
        key_of(decision.sight, decision.question): _legal(rule.answer(decision.question, decision.sight), decision)
        for decision in decided.decisions
    }


def _legal(answer: int, decision: Decision) -> int:
    """The answer of a rule, or the highest legal one below it where a limit stands against it."""
    return answer if answer in decision.values else max(legal for legal in decision.values if legal <= answer)
