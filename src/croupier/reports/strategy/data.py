"""A strategy sheet as plain data for JSON. The keys are part of the stable interface."""

from __future__ import annotations

from croupier.exact.strategy.result import Effect, PlayedSheet, WagerAccount
from croupier.reports.json_data import Plain, choice_data


def _by_endings(sheet: PlayedSheet) -> dict[str, WagerAccount]:
    """The account of each wager where one is kept for all: what is not the first wager's ends as `wager.outcome`."""
    accounts: dict[str, WagerAccount] = {}
    for name, ending in sheet.account.endings.items():
        wager = sheet.choice.wager.id if sheet.is_own(name) else name.rpartition(".")[0]
        known = accounts.get(wager, WagerAccount(0.0, 0.0))
        first = sheet.account.wagers
        accounts[wager] = WagerAccount(known.staked + ending.staked / first, known.loss - ending.profit / first)
    return accounts


def strategy_data(sheet: PlayedSheet, effects: list[Effect] | None = None) -> Plain:
    choice, account = sheet.choice, sheet.account
    data: Plain = choice_data(choice, sheet.method, choice.notes) | {
        "edge": sheet.edge,
        "edge_total_dependent": sheet.edge_total_dependent,
        "standard_deviation": account.standard_deviation,
        "mean_final_wager": account.mean_final_wager,
        "element_of_risk": sheet.element_of_risk,
        "outcomes": {
            name: {
                "hands": ending.hands,
                "final_wager": ending.staked / account.wagers,
                "return": ending.profit / account.wagers,
            }
            for name, ending in account.endings.items()
        },
        "by_up_card": sheet.by_up_card,
        "by_starting_hand": sheet.by_starting_hand,
        "chart": sheet.charts | sheet.ratings,
        "exceptions": [
            {
                "hand": exception.hand,
                "up_card": exception.up_card,
                "chart": exception.chart,
                "best": exception.best,
                "gain": exception.gain,
                "chance": exception.chance,
            }
            for exception in sheet.exceptions
        ],
    }
    data["wagers"] = {
        name: {"edge": wager.edge, "loss": wager.loss, "mean_wager": wager.staked}
        for name, wager in (sheet.wagers or _by_endings(sheet)).items()
    }
    if sheet.insurance is not None:
        data["insurance"] = {"edge": sheet.insurance.edge, "take": sheet.insurance.take}
    if sheet.asked_wager is not None:
        asked = sheet.asked_wager
        data["asked"] = {
            "wager": asked.wager,
            "edge": asked.edge,
            "taken": asked.taken,
            "edge_taken": asked.edge_taken,
        }
    if sheet.followed:
        data["rules_of_thumb"] = [
            {"id": rule.id, "text": rule.text, "edge": rule.edge, "cost": rule.cost} for rule in sheet.followed
        ]
    if sheet.edge_by_ratings is not None:
        data["edge_by_ratings"] = sheet.edge_by_ratings
    if sheet.final_wagers:
        data["final_wagers"] = {f"{stake:g}": chance for stake, chance in sheet.final_wagers.items()}
        data["final_wager_variance"] = sheet.final_wager_variance
    if effects is not None:
        data["effects"] = [
            {"switch": effect.switch.id, "value": effect.value, "edge": effect.edge, "change": effect.change}
            for effect in effects
        ]
    return data
