"""An effect that few rounds need: the round asks what a wager pays, to let a seat do something with it."""

from croupier.kernels.effects import Table, World


def returned(world: World, table: Table, wager: int, outcome: int, staked: int) -> int:
    """What a wager of the round that ends so gives back, the stake included."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's returned")


def returned_by(profit: int, loss: int, staked: int) -> int:
    """The same by the profit of a unit, where one that is lost is a profit of `loss`."""
    return staked + profit * staked // -loss
