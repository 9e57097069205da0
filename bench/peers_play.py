"""Rounds of one peer, as many as fit into some seconds: `python peers_play.py PEER SECONDS` prints rounds and seconds.

It is run by the Python of `.venv-peers`, so it imports nothing of ours, and a peer's package only when asked for it.
Hands are played by the chart of hitting and standing, which is all that most peers know; each goes the fastest way that
its package offers.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

HIT, STAND = 1, 0
Batch = Callable[[], int]
"""Plays some rounds and says how many."""


def hits(total: int, up: int, soft: bool) -> bool:
    """Basic strategy without doubling and splitting; `up` is 1 for an ace, or 11."""
    if soft:
        return total <= 17 or (total == 18 and up in (1, 9, 10, 11))
    if total <= 11:
        return True
    return total <= 16 and not (4 <= up <= 6 or (total >= 13 and 2 <= up <= 6))


CHART = [[[int(hits(total, up, soft)) for soft in (False, True)] for up in range(12)] for total in range(33)]


def gymnasium() -> Batch:
    env: Any = importlib.import_module("gymnasium").make("Blackjack-v1", natural=True).unwrapped
    env.reset(seed=1)

    def batch() -> int:
        for _ in range(1000):
            (total, up, soft), _info = env.reset()
            over = False
            while not over:
                (total, up, soft), _reward, over, _cut, _info = env.step(CHART[total][up][soft])
        return 1000

    return batch


def gymnasium_functional() -> Batch:
    """All tables of a batch at once, compiled by JAX."""
    jax: Any = importlib.import_module("jax")
    jnp: Any = importlib.import_module("jax.numpy")
    env: Any = importlib.import_module("gymnasium.envs.tabular.blackjack").BlackjackFunctional()
    chart, tables, steps = jnp.array(CHART), 4096, 64

    def step(carry: Any, _: Any) -> Any:
        key, states = carry
        key, *parts = jax.random.split(key, 4)
        looks, moves, deals = (jax.random.split(part, tables) for part in parts)
        seen = jax.vmap(env.observation)(states, looks)
        after = jax.vmap(env.transition)(states, chart[seen[:, 0], seen[:, 1], seen[:, 2]], moves)
        over = after.done > 0
        fresh = jax.vmap(env.initial)(deals)

        def pick(new: Any, old: Any) -> Any:
            return jnp.where(over.reshape((tables,) + (1,) * (old.ndim - 1)), new, old).astype(old.dtype)

        return (key, jax.tree.map(pick, fresh, after)), over.sum()

    @jax.jit  # type: ignore[untyped-decorator]
    def many(carry: Any) -> Any:
        carry, over = jax.lax.scan(step, carry, None, length=steps)
        return carry, over.sum()

    key = jax.random.PRNGKey(1)
    carry: Any = (key, jax.vmap(env.initial)(jax.random.split(key, tables)))

    def batch() -> int:
        nonlocal carry
        carry, over = many(carry)
        return int(over)

    return batch


def envpool() -> Batch:
    """All tables of a batch at once, in C++ with one thread."""
    numpy: Any = importlib.import_module("numpy")
    env: Any = importlib.import_module("envpool").make_gymnasium("Blackjack-v1", num_envs=4096, num_threads=1)
    chart = numpy.array(CHART, numpy.int32)
    seen, _info = env.reset()

    def batch() -> int:
        nonlocal seen
        seen, _reward, over, _cut, _info = env.step(chart[seen[:, 0], seen[:, 1], seen[:, 2]])
        return int(over.sum())

    return batch


def open_spiel() -> Batch:
    game: Any = importlib.import_module("pyspiel").load_game("blackjack")
    choose = random.Random(1).choice
    stand, hit = (1, 0) if "Stand" in game.new_initial_state().action_to_string(0, 1) else (0, 1)

    def value(card: int) -> int:
        return min(card % 13 + 1, 10)

    def batch() -> int:
        for _ in range(200):
            state = game.new_initial_state()
            up = 0
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(choose(state.legal_actions()))
                    continue
                up = up or value(state.dealers_visible_card())
                cards = [value(card) for card in state.cards(0)]
                total = state.get_best_player_total(0)
                goes_on = hits(total, up, total != sum(cards))
                state.apply_action(hit if goes_on else stand)
        return 200

    return batch


def rlcard() -> Batch:
    game: Any = importlib.import_module("rlcard.games.blackjack").Game()
    game.configure({"game_num_players": 1, "game_num_decks": 6})
    values = {**{str(pip): pip for pip in range(2, 10)}, "A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}

    def batch() -> int:
        for _ in range(100):
            game.init_game()
            up = values[game.dealer.hand[1].rank]  # the first one is hidden
            while not game.is_over():
                player = game.players[0]
                soft = player.score != sum(values[card.rank] for card in player.hand)
                game.step("hit" if player.score < 21 and hits(player.score, up, soft) else "stand")
        return 100

    return batch


def blackjack21() -> Batch:
    package: Any = importlib.import_module("blackjack21")
    playing = package.GameState.PLAYERS_TURN
    deck = package.Deck(package.DEFAULT_SUITS, count=6)
    table = package.Table([("one", 10)], deck, hit_soft_17=True)

    def batch() -> int:
        for _ in range(200):
            if len(deck) < 78:
                deck.reset()
            table.start_game()
            up = table.dealer_visible_hand[0].value
            while table.state == playing:
                hand = table.current_hand
                soft = any(card.rank == "A" for card in hand) and hand.total == sum(card.value for card in hand)
                table.hit() if hits(hand.total, up, soft) else table.stand()
        return 200

    return batch


def jackblack() -> Batch:
    package: Any = importlib.import_module("jackblack")

    class Chart(package.Simple):  # type: ignore[misc]
        def decide(self, player: Any, choices: Any, dealer: Any = None, players: Any = ()) -> str:
            total, soft = player.hand_value(), player.hand_value() != player.lowest_hand_value()
            return str(package.HIT if hits(total, min(dealer.showing(), 11), soft) else package.STAY)

    player = package.Player("one", 10**12, Chart())
    game = package.Simulation([player], package.Deck(shuffle=True, num_decks=6), hit_on_soft_17=True)

    def batch() -> int:
        game.run(100)
        player.results.clear()
        return 100

    return batch


PEERS: dict[str, Callable[[], Batch]] = {
    function.__name__: function
    for function in (envpool, gymnasium_functional, gymnasium, open_spiel, rlcard, blackjack21, jackblack)
}


def main(peer: str, seconds: float) -> None:
    batch = PEERS[peer]()
    batch()  # compiles, fills caches
    rounds, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        rounds += batch()
    print(json.dumps({"rounds": rounds, "seconds": time.perf_counter() - start}))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
