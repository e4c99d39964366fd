"""Cold March keeps the contract, and its sample ends as its rules say."""

from astragal import play_sample
from astragal.testing import contract
from coldmarch import GAME

test_contract = contract(GAME)


def test_in_the_sample_a_push_costs_frost_and_wears_the_axe_and_a_fire_helps() -> None:
    table, _ = play_sample("coldmarch", at=0)
    sunniva = next(holder for holder in table.state.world.holders.values() if holder.name == "Sunniva")
    assert sunniva.sheet["frost"] == {"Frost": {"now": 0}}
    assert sunniva.sheet["gear"]["Ice axe"] == {"dice": 1}
