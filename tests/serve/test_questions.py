"""Questions without a table say what the command line says."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from astragal.games.registry import all_games
from tests.cli.command import run
from tests.serve.running import Guest, Running


@pytest.fixture
def guest(server: Running) -> Guest:
    return server.guest()


def test_every_game_declares_what_a_page_needs(guest: Guest) -> None:
    found = {game["name"]: game for game in guest.get("/api/games")["games"]}
    assert list(found) == [game.name for game in all_games()]
    for game in all_games():
        told = found[game.name]
        assert [kind["name"] for kind in told["kinds"]] == list(game.kinds)
        assert told["sample"]["title"] and told["templates"] and told["sheets"]["character"]
        assert {input["kind"] for kind in told["kinds"] for input in kind["inputs"]} <= {
            "whole", "summed", "numbers", "one_of", "flag", "words", "named",
        }  # fmt: skip


def test_a_game_says_in_another_language_what_it_has_and_leaves_out_the_rest(guest: Guest) -> None:
    assert guest.get("/api/games/narraject/words/de")["texts"]["Attempt something"] == "Etwas versuchen"
    assert guest.get("/api/games/narraject/words/xx")["texts"] == {}
    assert guest.http.get("/api/games/nosuch/words/de").status_code == 404


def test_typed_dice_are_read_by_the_rules(guest: Guest) -> None:
    body = {"game": "narraject", "inputs": {"step": 10, "difficulty": 3}, "faces": "6 5 4 2 1 | 7"}
    report = guest.post("/api/roll", body)
    said = json.loads(
        run(
            "roll", "narraject", "--step", "10", "--difficulty", "3", "--faces", "6 5 4 2 1 | 7", "--explain", "--json"
        ).out
    )
    assert report == said
    assert report["degree"] == "success"


def test_a_seed_gives_the_same_dice_each_time(guest: Guest) -> None:
    body = {"game": "chronicles", "inputs": {"pool": 7}, "seed": "one"}
    assert guest.post("/api/roll", body) == guest.post("/api/roll", body)


def test_odds_are_exact_and_the_command_lines(guest: Guest) -> None:
    found = guest.post("/api/odds", {"game": "narraject", "inputs": {"d6": 5, "step": 10, "difficulty": 3}})
    said = json.loads(run("odds", "narraject", "5", "d10", "3", "--json").out)
    assert found == said
    assert found["facts"]["success"]["rows"][0] == {
        "value": True, "label": "true", "exact": "11/27", "chance": 11 / 27,
    }  # fmt: skip


def test_one_fact_a_policy_and_a_wish(guest: Guest) -> None:
    asked = {"game": "narraject", "inputs": {"d6": 5, "step": 10, "difficulty": 3, "ip": 2}, "show": ["success"]}
    never, best = guest.post("/api/odds", asked), guest.post("/api/odds", {**asked, "wish": "succeed"})
    assert [list(found["facts"]) for found in (never, best)] == [["success"], ["success"]]
    assert (never["policy"], best["policy"], best["wish"]) == ("never", "best", "succeed")
    chances = [found["facts"]["success"]["rows"][0]["chance"] for found in (never, best)]
    assert chances[1] > chances[0]


def test_advice_weighs_every_answer(guest: Guest) -> None:
    body = {"game": "narraject", "inputs": {"step": 10, "difficulty": 3, "ip": 2}, "faces": "6 4 4 2 1 | 3"}
    found = guest.post("/api/advise", body)
    assert {option["name"] for option in found["options"]} == {"settle", "reroll", "add"}
    assert found["best"] == max(found["options"], key=lambda option: option["worth"]["number"])["name"]


def test_two_questions_side_by_side(guest: Guest) -> None:
    sides = [{"game": "chronicles", "inputs": {"pool": 6}}, {"game": "chronicles", "inputs": {"pool": 6, "rote": True}}]
    found = guest.post("/api/compare", {"sides": sides, "show": ["outcome"]})
    assert list(found["facts"]) == ["outcome"]
    differences = {row["value"]: row["differences"] for row in found["facts"]["outcome"]["rows"]}
    assert differences["exceptional_success"][0]["chance"] > 0 > differences["failure"][0]["chance"]
    assert sum(Fraction(each["exact"]) for (each,) in differences.values()) == 0


def test_notation_is_answered_in_a_dialect_as_on_the_command_line(guest: Guest) -> None:
    for text, dialect in (("3d6>3", ""), ("3d6>3", "roll20"), ("output 2@3d6", "anydice"), ("1d6! + 0.5", "")):
        found = guest.post("/api/odds", {"notation": text, "dialect": dialect})
        assert found == run("odds", text, *(["--dialect", dialect] if dialect else []), "--json").json
    assert guest.post("/api/odds", {"notation": "3d6>3"})["read"]


def test_notation_that_cannot_be_read_is_shown_with_a_caret(guest: Guest) -> None:
    answer = guest.http.post("/api/odds", json={"notation": "5d6kq"})
    assert answer.status_code == 422
    problem = answer.json()
    assert problem["detail"] == 'This is not dice notation from "q" on: expected an operator or the end.'
    assert (problem["text"], problem["column"]) == ("5d6kq", 4)


def test_notation_is_rolled_and_compared(guest: Guest) -> None:
    rolled = guest.post("/api/roll/notation", {"notation": "3d6>3", "dialect": "roll20", "faces": "1 3 6"})
    assert (rolled["notation"], rolled["value"]) == ("3d6 count>=3", 2)
    sides = [{"notation": "4d6kh3"}, {"notation": "[highest 3 of 5d6]", "dialect": "anydice"}]
    assert guest.post("/api/compare", {"sides": sides})["sides"][1]["notation"] == "5d6kh3"


def test_a_program_has_a_fact_for_each_output(guest: Guest) -> None:
    program = 'output [highest 3 of 4d6] named "best"\noutput d{}\noutput d4 > d4'
    found = guest.post("/api/program", {"program": program})
    assert found["facts"] == json.loads(run("odds", "--program", "-", "--json", typed=program).out)["facts"]
    assert found["facts"]["output 2"]["rows"] == []


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("roll", {"game": "chess"}, 404, 'There is no game "chess"'),
        ("roll", {"game": "chronicles", "inputs": {"pool": 7}, "faces": "1 2"}, 422, "Too few faces"),
        ("roll", {"game": "chronicles", "inputs": {"pool": 2}, "faces": "11 2"}, 422, "11"),
        ("roll", {"game": "chronicles", "inputs": {"dice": 7}}, 404, 'There is no input "dice"'),
        ("roll", {"game": "chronicles", "inputs": {"pool": "many"}}, 422, "whole number"),
        ("roll", {"game": "chronicles", "inputs": {"pool": 7}, "answers": {"tea": ["yes"]}}, 404, "no choice"),
        ("roll", {"game": "chronicles", "inputs": {"pool": 7}, "faces": "1", "seed": "a"}, 422, "one of them"),
        ("odds", {"game": "chronicles", "inputs": {"pool": 7}, "show": ["tea"]}, 404, 'There is no fact "tea"'),
        ("odds", {"game": "chronicles", "inputs": {"pool": 7}, "up_to": 1001}, 400, "up_to"),
        ("odds", {"game": "chronicles", "wish": "tea", "inputs": {"pool": 7}, "policy": "never"}, 422, "wish"),
        ("odds", {"game": "chronicles", "extra": 1}, 400, "extra"),
        ("odds", {}, 422, "game or notation"),
        ("odds", [], 400, "object"),
        ("odds", {"game": "chronicles", "notation": "3d6"}, 422, "one of them"),
        ("odds", {"notation": "3d6", "inputs": {"pool": 3}}, 422, "belong to a game"),
        ("odds", {"game": "chronicles", "inputs": {"pool": 3}, "dialect": "roll20"}, 422, "belongs to notation"),
        ("odds", {"notation": "3d6", "dialect": "klingon"}, 400, "dialect"),
        ("odds", {"notation": "3d6", "show": ["tea"]}, 404, 'There is no fact "tea"'),
        ("roll/notation", {"notation": "3d6", "faces": "1"}, 422, "Too few faces"),
        ("program", {"program": "output [best 1]"}, 404, "Line 1"),
        ("program", {"program": "function: f X:s { result: 1@X } output [f 40d20]"}, 422, "Line 1: This takes"),
        ("advise", {"game": "chronicles", "faces": "8 8 8"}, 422, "Nothing is left to decide"),
        ("advise", {"game": "chronicles", "inputs": {"pool": 3}}, 422, "Advice needs the dice"),
        ("compare", {"sides": [{"game": "chronicles", "inputs": {"pool": 1}},
                               {"game": "razorweave", "inputs": {"dc": 9}}], "show": ["tier"]}, 404, "in common"),
        ("compare", {"sides": [{"game": "chronicles", "inputs": {"pool": 1}}]}, 400, "sides"),
    ],
)  # fmt: skip
def test_a_refusal_is_a_sentence(guest: Guest, path: str, body: object, status: int, words: str) -> None:
    answer = guest.http.post(f"/api/{path}", json=body)
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, answer.json()["status"]) == (status, status)
    assert words in answer.json()["detail"]
    assert answer.json()["detail"].endswith(".")


def test_a_whole_number_may_be_written_as_json_allows(guest: Guest) -> None:
    assert guest.post("/api/odds", {"game": "chronicles", "inputs": {"pool": 3}, "up_to": 5.0})["facts"]


def test_bodies_are_bounded(guest: Guest) -> None:
    def status(body: bytes, media: str = "application/json") -> int:
        return guest.http.post("/api/odds", content=body, headers={"Content-Type": media}).status_code

    assert status(b'{"game":"' + b"x" * 300_000 + b'"}') == 413
    assert status(b'{"game":"x","inputs":{"a":' + b"[" * 50 + b"]" * 50 + b"}}") == 400
    assert status(b'{"game":"chronicles","inputs":{"pool":3,"no":"[[[[' + b"[" * 50 + b'"}}') == 404
    assert status(b"{") == status(b'"\xff"') == status(b"") == 400
    assert status(b"{}", "text/plain") == 415


def test_a_long_computation_keeps_nobody_waiting(server: Running, guest: Guest) -> None:
    from concurrent.futures import ThreadPoolExecutor

    heavy = {"sides": [{"game": "tgimh", "inputs": {"ours": 40, "theirs": 39}},
                       {"game": "tgimh", "inputs": {"ours": 39, "theirs": 40}}]}  # fmt: skip
    with ThreadPoolExecutor(2) as pool:
        long = pool.submit(server.guest().post, "/api/compare", heavy)
        assert guest.get("/healthz") == {"status": "ok"}
        assert long.result(30)["facts"]
