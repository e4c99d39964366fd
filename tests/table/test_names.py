"""Names at a table: one line each, and no twins of a name that the asker can see."""

from __future__ import annotations

import re

import pytest

from astragal.errors import Illegal, Malformed, Refusal
from astragal.table import action as a
from astragal.table.log.story import story
from astragal.table.twins import look_alike, skeleton
from tests.table.tables import Party

TWINS = [
    ("Mira", "Мirа"),  # Cyrillic letters among the Latin ones
    ("Mira", "Mi\u200dra"),
    ("Ian", "lan"),
    ("Ysolde", "Ysоlde"),
    ("paypal", "раураl"),
    ("Kira", "Ｋｉｒａ"),
    ("Kira", "𝐊𝐢𝐫𝐚"),
    ("scope", "ѕсоре"),
    ("moon", "rnoon"),
    ("Zoë", "Zoe\u0308"),
    ("BO", "B0"),
    ("Kira", "Ki\u17b4ra"),  # marks that show nothing
    ("Kira", "Kira\u180b"),
]
APART = [("Mira", "Mara"), ("Jo", "Joe"), ("Anna", "Hanna"), ("李", "季"), ("Zoë", "Zoe"), ("Tom", "Tim")]


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_names_that_look_alike_are_twins(one: str, other: str) -> None:
    assert look_alike(one, other) and look_alike(other, one)


@pytest.mark.parametrize(("one", "other"), APART)
def test_names_that_look_different_are_none(one: str, other: str) -> None:
    assert not look_alike(one, other)


def test_a_skeleton_is_its_own_skeleton() -> None:
    for one, other in (*TWINS, *APART):
        for name in (one, other):
            assert skeleton(skeleton(name)) == skeleton(name)


@pytest.fixture
def party() -> Party:
    return Party()


def test_nobody_sits_down_as_a_twin(party: Party) -> None:
    for name in ("Мira", "Jоnas", "Ad\u200da", "Ｏlaf", "Wrеn"):
        with pytest.raises(Illegal, match="looks like"):
            party.do("", a.JoinAction(name=name))
        with pytest.raises(Illegal, match="looks like"):
            party.do("Mira", a.CreateAction(name=name))
    with pytest.raises(Illegal, match="looks like"):
        party.do("Ada", a.SeatAction(member="Ada", name="Jоnas"))
    with pytest.raises(Illegal, match="looks like"):
        party.do("Ada", a.HoldAction(holder="Kit", name="Wrеn"))


def test_everybody_may_respell_their_own_name(party: Party) -> None:
    party.do("Ada", a.SeatAction(member="Ada", name="Adа"))
    party.do("Ada", a.HoldAction(holder="Kit", name="Кit"))


def test_a_hidden_name_is_no_hindrance_and_so_tells_nothing(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Malachai", owner="", seen="gm"))
    party.do("", a.JoinAction(name="Malachai", role="onlooker"))
    party.do("Jonas", a.CreateAction(name="Malachai"))  # Jonas cannot know of the other one
    with pytest.raises(Illegal, match="looks like"):
        party.do("Mira", a.CreateAction(name="Malachаi"))


def test_only_names_that_the_asker_sees_count_as_twins() -> None:
    with_secret, without = Party(), Party()
    with_secret.do("Mira", a.CreateAction(name="Malachai", owner="", seen="gm"))
    for party in (with_secret, without):
        party.do("Jonas", a.CreateAction(name="Маlаchai"))
        with pytest.raises(Illegal, match="Маlаchai"):
            party.do("Ada", a.CreateAction(name="Malachai"))


def test_no_item_is_the_twin_of_one_in_its_section(party: Party) -> None:
    def put(by: str, item: str, **to: object) -> None:
        party.do(by, a.EditAction(holder="Wren", section="gear", item=item, to={"dice": 1, **to}))

    put("Jonas", "Scope")
    for twin in ("Ѕсоре", "Sco\u200dpe"):
        with pytest.raises(Refusal):
            put("Jonas", twin)
    with pytest.raises(Illegal, match='looks like "Scope", which is in Gear already'):
        put("Mira", "Ѕсоре")
    put("Jonas", "Scope", dice=2)  # the item itself
    party.do("Ada", a.EditAction(holder="Kit", section="gear", item="Ѕсоре", to={"dice": 1}))  # of somebody else
    with pytest.raises(Illegal, match="which is on the same sheet"):
        party.do("Ada", a.CreateAction(name="Rook", sheet={"gear": {"Scope": {"dice": 1}, "Ѕсоре": {"dice": 1}}}))


def test_a_hidden_item_is_no_hindrance() -> None:
    with_secret, without = Party(), Party()
    hidden = a.EditAction(holder="Wren", section="gear", item="Ѕсоре", to={"dice": 1, "seen": "gm"})
    with_secret.do("Mira", hidden)
    for party in (with_secret, without):
        party.do("Jonas", a.EditAction(holder="Wren", section="gear", item="Scope", to={"dice": 1}))


def test_a_name_may_be_given_twice_where_it_could_before(party: Party) -> None:
    party.do("Mira", a.CreateAction(name="Goblin", owner=""))
    party.do("Mira", a.CreateAction(name="Goblin", owner=""))
    party.do("Mira", a.CreateAction(name="Ada", owner=""))  # a character may be called like its player


@pytest.mark.parametrize("sign", ["\x1b", "\x07", "\u202e", "\u200b", "\x9b", "\n"])
@pytest.mark.parametrize(
    "action",
    [
        lambda text: a.SceneAction(title=text),
        lambda text: a.CreateAction(name=text),
        lambda text: a.SeatAction(member="Jonas", name=text),
        lambda text: a.EditAction(holder="table", section="clocks", item=text, to={"segments": 4}),
        lambda text: a.EditAction(holder="table", section="clocks", item="Tide", to={"segments": 4}, why=text),
        lambda text: a.OpenAction(who="Wren", inputs={"d6": {text: 2}}),
        lambda text: a.OpenAction(who="Wren", helpers=[text]),
        lambda text: a.AnswerAction(answer=text),
    ],
)
def test_no_action_carries_signs_that_nobody_sees(party: Party, action: object, sign: str) -> None:
    before = party.state
    with pytest.raises(Malformed, match=r"sign|line"):
        party.do("Mira", action(f"The{sign}tide"))  # type: ignore[operator]
    assert party.state is before


def test_a_note_keeps_its_lines_but_no_hidden_signs(party: Party) -> None:
    party.do("Ada", a.NoteAction(text="One.\nTwo."))
    with pytest.raises(Refusal):
        party.do("Ada", a.NoteAction(text="One.\u202eTwo."))


@pytest.mark.parametrize("text", ["\u2800\u2800", "\u3164\n\u3164", "\u200d\u0301"])
def test_a_note_shows_something(party: Party, text: str) -> None:
    with pytest.raises(Malformed, match="The note has no visible character"):
        party.do("Ada", a.NoteAction(text=text))


MARKUP = [
    "# A heading",
    "- a list",
    "1. a list",
    "1) a list",
    "+ a list",
    "===",
    "---",
    "> a quote",
    "**bold** _it_ `code`",
    "[a](javascript:alert(1))",
    "![a](x.png)",
    "<script>alert(1)</script>",
    "&lt;b&gt;",
    "| a | b |",
    "~~gone~~",
    "https://evil.example/x",
    "www.evil.example",
    "mail@evil.example",
    "$x$",
    "    indented code",
    "a\n\n# A heading\n- b",
    "back\\slash",
]


@pytest.mark.parametrize("text", MARKUP)
def test_the_story_shows_what_was_written_and_no_markup(text: str) -> None:
    from markdown_it import MarkdownIt

    party = Party()
    party.do("Ada", a.NoteAction(text=text))
    party.do("Mira", a.SceneAction(title=" ".join(text.split())))
    written = "\n".join(story(party.entries, party.state, party.member("Ada")))
    html = MarkdownIt("gfm-like", {"linkify": False}).render(written)
    tags = set(re.findall(r"<(\w+)", html))
    assert tags <= {"h1", "h2", "p", "br", "blockquote", "em", "strong"}
    assert html.count("<h1") == 1 and html.count("<h2") == 1
    assert not re.search(r"(?<!\\):(?=//)|www\.|(?<!\\)@", written), "a bare address would become a link"


def test_the_title_is_escaped_in_the_story() -> None:
    party = Party()
    state = party.state
    from msgspec.structs import replace

    titled = replace(state, title="<img src=x> [a](b)")
    assert next(iter(story(party.entries, titled, None))) == "# \\<img src=x\\> \\[a\\](b)\n"


def test_a_table_has_a_bounded_number_of_members(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.table.decide.members.MAX_MEMBERS", 5)
    party.do("", a.JoinAction(name="Fifth"))
    with pytest.raises(Illegal, match="at most 5 members"):
        party.do("", a.JoinAction(name="Sixth"))
