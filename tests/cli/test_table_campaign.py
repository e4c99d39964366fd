"""A whole solo campaign for each game, said at the command line, with typed dice."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from astragal.cli.main import main
from astragal.table.log.sample import play_sample, sample_of
from astragal.table.state import State
from tests.cli.command import run_apart

GAMES = ("narraject", "tgimh", "chronicles", "razorweave")


class Table:
    """Says ``astragal table …`` in this process, with a data folder of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def tries(self, *words: str) -> tuple[int, str, str]:
        """The exit code, and what was printed."""
        code = main(["table", *words[:1], "--data", str(self.folder), *words[1:]])
        shown = self._capsys.readouterr()
        return code, shown.out, shown.err

    def says(self, text: str) -> str:
        """What is printed for words that are not refused."""
        code, out, err = self.tries(*shlex.split(text))
        assert (code, err) == (0, ""), text
        return out

    def json(self, text: str) -> Any:
        return json.loads(self.says(f"{text} --json"))

    def refuses(self, text: str) -> str:
        """The one sentence that says why not; nothing else is printed."""
        code, out, err = self.tries(*shlex.split(text))
        assert (code, out) == (2, ""), text
        assert err.startswith("astragal: ")
        assert len(err.splitlines()) == 1
        return err.removeprefix("astragal: ").strip()

    def sheet(self, name: str) -> dict[str, Any]:
        """A holder's sheet by its name; the table and the scene go by their ids."""
        holders = self.json("show")["holders"]
        found: dict[str, Any] = next(one["sheet"] for one in holders if name in (one["name"], one["id"]))
        return found


@pytest.fixture
def at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Table:
    return Table(tmp_path / "data", capsys)


def test_a_narraject_campaign(at: Table) -> None:
    at.says('new narraject "The Well" --name Mira --option edition=marks --option player_ip=4')
    at.says("do create Ysolde --template ysolde")
    at.says("do edit table ip IP now=4")
    at.says('do scene "The sunken chapel"')
    at.says('do edit scene obstacles "The hatch" difficulty=2 note="Swollen shut"')
    at.says('do edit scene circumstances "Low tide" dice=1')
    at.says('do clock "The tide" 6 --kind threat')
    rolled = at.says(
        "do roll --who ysolde --use Might=2 --use 'Wreck diving (expert)' --use 'Low tide' --use 'The hatch' "
        '--faces "6 5 3 1 2 | 1"'
    )
    assert "d6          6 Mark · 5 Mark · 3 · 1 · 2" in rolled
    assert "Change it? The GM holds 4 IP. (Mira)" in rolled
    assert "reroll   Reroll the d10: succeeds anyway; only changes how well, and whose doing it was, costs 1" in rolled
    rerolled = at.says("do answer reroll --faces 8")
    assert "The pool has" not in rerolled, "what a roll has told is not told again"
    assert "Change it? The GM holds 3 IP." in rerolled
    assert "Solid success: 3 Marks, 2 needed; As yourself: the Step Die is highest." in at.says("do answer settle")
    assert at.sheet("table")["ip"]["IP"]["now"] == 4
    assert at.sheet("Mira")["ip"] == {}, "the GMs have one purse"
    assert at.sheet("Ysolde")["stats"]["Might"] == {"now": 1, "full": 3}
    at.says('do tick "the tide" 2 --why "It took long"')
    at.says('do roll --who Ysolde --use Agility=1 --difficulty 2 --faces "3 | 1" --answer settle')
    assert at.sheet("table")["complications"] == {}, "the GM who rolls owes themselves none"
    at.says("do move refill --who Ysolde --stat Might")
    at.says("do change Ysolde Stats might -1")
    at.says("do close")
    shown = at.says("show")
    assert "The tide [##----] 2/6 (threat)" in shown
    assert "Might ●●○ 2/3" in shown


def test_a_tgimh_campaign(at: Table) -> None:
    at.says('new tgimh "The Bridge" --name Mira --option will-cap=none')
    for name, template in (("Ilse", "Ilse Varga"), ("Odo", "Odo Brandt"), ("Tollmaster", "The Tollmaster")):
        at.says(f'do create {name} --template "{template}"')
    at.says('do scene "The toll bridge"')
    at.says(
        "do open --who Ilse --against Tollmaster --use 'First blade of the river towns' --use \"Grandfather's sabre\""
    )
    opened = at.says('do build --theirs 3 --use "Four hired halberds"')
    assert "In it: First blade of the river towns, Grandfather's sabre, Four hired halberds, theirs 3 (Mira)." in opened
    assert "do throw" in opened
    thrown = at.says('do throw --faces "9 8 8 4 3 | 9 6 5 5 2"')
    assert "Open: Ilse: " in thrown
    at.says("do answer make: Backed against the rail")
    assert "box 2" in at.says("do answer box").lower()
    assert at.sheet("Tollmaster")["power"]["Power"]["crossed"] == [2]
    assert "Backed against the rail" in at.sheet("scene")["conditions"]
    assert "☐☒☐☐☐" in at.says("show")
    assert at.refuses("do move refresh --who Odo --against Ilse").endswith("a scene is open (TG-15).")
    at.says("do close")
    at.says("do change Odo power Power 3")
    at.says('do move refresh --who Odo --against Ilse --how "Soup, and the three names"')
    assert at.sheet("Odo")["power"]["Power"]["crossed"] == []
    at.says('do move score --who Odo --key "the three who died" --level progress')
    at.says('do move new-aspect --who Odo --name "Has said their names"')
    assert at.sheet("Odo")["aspects"]["Has said their names"]["dice"] == 1


def test_a_chronicles_campaign(at: Table) -> None:
    at.says('new chronicles "The Dome" --name Rahel')
    at.says('do create Teodor --template "Teodor Lisk"')
    at.says('do create Inez --template "Inez Calloway"')
    at.says('do create Halloran --template "Mr Halloran" --owner ""')
    at.says('do scene "The door below the dome"')
    at.says('do edit scene circumstances "Rain" dice=-2')
    at.says(
        'do roll --who Teodor --use Dexterity --use "Larceny: Locks" --use "Good picks" --use Rain '
        '--task "the dome\'s lock" --faces "7 7 6 5 4 3 2 1"'
    )
    at.says("do answer take")
    assert at.sheet("Teodor")["beats"]["Beats"]["now"] == 1
    waits = at.says("do roll --who Inez --helper Teodor --use Wits --use Investigation --faces 7")
    assert "Make it worse, for a Beat?" in waits
    at.says("do answer keep --faces '10 9 8 8 3 / 8'")
    assert "Inspired" in at.sheet("Inez")["conditions"]
    at.says('do move resolve --who Inez --condition Inspired --why "It was her own name"')
    at.says("do open contested --who Teodor --against Halloran --use Dexterity --use 'Stealth: Crowds'")
    at.says('do build --use "Halloran\'s Wits" --use "Halloran\'s Composure"')
    at.says("do throw --faces '10 9 7 6 5 3 2 1 / 4 | 8 7 7 5 2 1'")
    assert at.json("show")["rolls"][-1]["result"]["winner"] == "ours"
    at.says("do roll extended 5 3 --faces '8 8 8 1 1'")
    assert "Mental Attributes" in at.says("show")


def test_a_razorweave_campaign(at: Table) -> None:
    at.says('new razorweave "The Letter" --name Mira')
    at.says('do create Kira --template "Kira Voss"')
    at.says('do create Ruhl --template captain --owner ""')
    at.says('do scene "The granary"')
    at.says("do clock Loft 4 --kind goal")
    at.says("do clock Bell 4 --kind threat --seen veiled")
    at.says("do move race --goal loft --threat bell")
    at.says('do edit scene tags "Loose tiles" note="Good cover"')
    opened = at.says("do open --who Kira")
    assert 'write "Burden: Loose tiles"' in opened, "two of the same name are told apart by their groups"
    at.says("do withdraw")
    at.says(
        "do roll --who Kira --dc 16 --use Agility --use Stealth --use 'Burden: Loose tiles' "
        "--use 'Goal: Loft' --faces '2 3 4 3 5' --intent 'reach the loft'"
    )
    strike = at.says("do roll 14 --who Kira --against Ruhl --strike --use Agility --faces '6 5 3 2' --answer disarmed")
    assert "Critical success: 19 against 14; A devastating Strike." in strike
    assert at.sheet("Ruhl")["resolve"]["Resolve"]["filled"] == 3
    assert "Ruhl's Clock Resolve is full!" in at.says("do tick resolve --who Ruhl")
    at.says("do roll oracle --question 'Is the wind right?=helps' --faces 2")
    assert "Is the wind right?" in at.sheet("table")["oracle"]
    at.says("do retire Ruhl")
    at.says("do close")
    log = at.says("log --rules")
    assert "Dice: d6 [6] [5] [3] [2]" in log
    assert "(RW-9)" in log
    assert "(RW-9)" not in at.says("log")


# The samples, said in words: every action that they have, in the form that a person would type.


def words_of(action: dict[str, Any]) -> list[str]:
    """An action of a sample as the words of ``astragal table do``."""
    do = action["do"]
    if do in ("scene", "note", "answer"):
        text = {"scene": "title", "note": "text", "answer": "answer"}[do]
        return [do, action[text], *_options(action, "faces")]
    if do == "assist":
        return [do, action["who"]]
    if do == "close":
        return [do, *(word for name in action.get("ends", []) for word in ("--end", name))]
    if do == "create":
        return [do, action["name"], *_options(action, "template", "owner", "seen")]
    if do == "edit":
        fields = [f"{field}={value}" for field, value in action["to"].items()]
        return [do, action["holder"], action["section"], action["item"], *fields, *_options(action, "why")]
    if do == "move":
        return [do, action["name"], *_options(action, "who", "against"), *_inputs(action)]
    if do in ("open", "roll", "build"):
        uses = [word for name, n in action.get("use", {}).items() for word in ("--use", f"{name}={n}")]
        helpers = [word for name in action.get("helpers", []) for word in ("--helper", name)]
        hidden = [word for name in action.get("hide", []) for word in ("--hide", name)]
        kind = [action["kind"]] if "kind" in action else []
        return [do, *kind, *_options(action, "who", "against", "faces"), *uses, *helpers, *hidden, *_inputs(action)]
    return [do, *_options(action, "faces")]


def _options(action: dict[str, Any], *names: str) -> list[str]:
    return [word for name in names if name in action for word in (f"--{name}", str(action[name]))]


def _inputs(action: dict[str, Any]) -> list[str]:
    words = []
    for name, value in action.get("inputs", {}).items():
        option = f"--{name.replace('_', '-')}"
        for one in value if isinstance(value, list) else [value]:
            words += [option] if one is True else [option, str(one)]
    return words


def told(state: State) -> dict[str, Any]:
    """A state without ids: members, sheets and rolls by what they are called."""
    names = {kept.id: kept.name or kept.id for kept in state.world.holders.values()}
    text = json.dumps([[kept.name, kept.kind, kept.sheet] for kept in state.world.holders.values()])
    for id, name in names.items():
        text = text.replace(f'"{id}"', f'"{name}"')
    return {
        "holders": json.loads(text),
        "members": [(member.name, member.role) for member in state.members.values()],
        "verdicts": [roll.told.verdict for roll in state.world.rolls.values()],
    }


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_said_in_words_makes_the_same_table(game: str, at: Table) -> None:
    from astragal.storage import open_store
    from astragal.storage.tables.repository import Repository

    sample = sample_of(game)
    first, *others = sample["member"]
    options = " ".join(f"--option {name}={value}" for name, value in sample.get("options", {}).items())
    at.says(f'new {game} "{sample["title"]}" --name {first["name"]} {options}')
    for member in others:
        at.says(f"do join {member['name']} --role {member['role']}")
    for action in sample["action"]:
        code, _, err = at.tries("do", *words_of(action), "--as", action.get("actor") or action["by"])
        assert (code, err) == (0, ""), action
    with open_store(at.folder / "tables.db") as store:
        state = Repository(store).open(store.tables()[0].table).state
    assert told(state) == told(play_sample(game, 0)[0].state)


def test_the_same_in_processes_of_its_own(tmp_path: Path) -> None:
    env = {"ASTRAGAL_DATA": str(tmp_path / "mine")}
    made = run_apart("table", "new", "chronicles", "The Dome", env=env)
    assert (made.code, made.err) == (0, "")
    assert (
        run_apart("table", "do", "roll", "3", "--faces", "8 9 1", env=env).out.splitlines()[-1]
        == "Success: 2 successes."
    )
    assert run_apart("table", "list", "--json", env=env).json["tables"][0]["id"] == made.out.strip()
    assert (tmp_path / "mine" / "tables.db").exists()
