"""Plain dice are answered from their text as if it were parsed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import odds
from astragal.errors import Illegal, Malformed
from astragal.notation.odds.plain import plain_notation, plain_odds
from astragal.notation.parser import Read, parse, read
from astragal.notation.solve import expression_odds
from astragal.questions.calls import solve_call


@settings(deadline=None)
@given(
    st.sampled_from(["", "1", "2", "3", "7"]),
    st.integers(1, 9),
    st.sampled_from(["", "kh1", "kl1", "kh2", "kl3", "dh1", "dl1", "dl2", "kh9", "dh6"]),
    st.sampled_from(["", ">=5", " > 3", "<=4", " <9", " < 10", ">99", ">=0", "<=014"]),
)
def test_text_and_parsed_text_have_the_same_odds(n: str, sides: int, keep: str, comparison: str) -> None:
    text = f"{n}d{sides}{keep}{comparison}"
    found = plain_odds(text)
    whole = expression_odds(parse(text), solve_call)
    assert odds(text) == whole
    if found is not None:
        assert found.weights == whole.weights
        assert set(map(type, found.weights)) == set(map(type, whole.weights))
        notation = plain_notation(text)
        assert not notation or Read(parse(notation)) == Read(parse(text)) == read(text)
        assert not notation or notation == str(parse(text))


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["d4", "2d6", "d8", "1d3", "3d2"]), min_size=2, max_size=3),
    st.sampled_from([", ", ","]),
    st.sampled_from(["kh1", "kl2", "kh9", "dh1", "dl1", "dl2"]),
)
def test_pools_and_parsed_ones_have_the_same_odds(dice: list[str], comma: str, keep: str) -> None:
    for text in (f"{{{comma.join(dice)}}}{keep}", " vs ".join(dice[:2])):
        assert_same_as_parsed(text)


def assert_same_as_parsed(text: str) -> None:
    found = plain_odds(text)
    whole = expression_odds(parse(text), solve_call)
    assert odds(text) == whole
    if found is not None:
        assert found.to_dict() == whole.to_dict()


@pytest.mark.parametrize(
    "text",
    [
        "{d4, d6, d8, d10, d12}kh2",
        "3d6 vs d8",
        "{d4,2d6}dl1",
        "897d2kh1",
        "d100<=45",
        "d100 <= 45",
        "1000d6",
        "100d6kh10",
        "4d6dl1",
    ],
)
def test_plain_dice_are_not_parsed(text: str) -> None:
    assert plain_odds(text) is not None


def test_plain_dice_are_written_as_the_parser_writes_them() -> None:
    texts = ("d20", "04d6kh03", "4d6>=14", "4d6 >= 6", "3d6 vs d8")
    assert [plain_notation(text) for text in texts] == ["1d20", "4d6kh3", "4d6 >= 14", "", ""]


@pytest.mark.parametrize(
    "text",
    [
        "3d6+1",
        "3d6kh0",
        "3d6dl3",
        "0d6",
        "3d6!",
        "3d6==4",
        "d0",
        "1001d6",
        "2d1001",
        "3d6>=d4",
        "3d6kh",
        "",
        "{d4, d6}",
        "{d4 d6}kh1",
        "{d4, d6,}kh1",
        "{d4}kh1",
        "{d4, d6}dl2",
        "{d0, d6}kh1",
        "{d4d6}kh1",
        "{d4, 3}kh1",
        "3d6 vs 0d6",
        "3d6 vs 2",
        "3d6 vs 2d6!",
        "3d6 vs> 2d6",
    ],
)
def test_everything_else_is_left_to_the_parser(text: str) -> None:
    assert plain_odds(text) is None


def test_refusals_are_those_of_the_parser() -> None:
    with pytest.raises(Malformed, match="a number of dice from 0 to 1,000"):
        odds("1001d6")
    with pytest.raises(Illegal, match="MB of memory"):
        odds("1000d1000")
