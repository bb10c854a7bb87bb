"""The registered games from Python: the same answers as everywhere, and rules that can be asked."""

from __future__ import annotations

import json
import os
import re
import subprocess
from fractions import Fraction

import numpy as np
import pytest
import yomikiri as yk
from yomikiri import own

NAMES = [game.name for game in yk.games()]


def test_law_games_say_who_they_are():
    assert NAMES[:5] == ["memory", "geister", "saichugen", "accordion", "sixtysix"] and len(NAMES) >= 32
    for game in yk.games():
        assert game.rules and game.title and game.summary and game.notation, game
        assert all(p.name and p.accepts and p.help for p in game.parameters), game
        assert set(game.settings) == {p.name for p in game.parameters}


#: Small variants, with what they are worth as the reference pages of the classics have it.
VALUES = {
    "nim": ({"heaps": "3,4,5"}, 1),
    "tictactoe": ({}, 0),
    "chomp": ({"rows": 3, "cols": 4}, 1),
    "dodgem": ({}, 1),
    "mutorere": ({}, 0),
    "pig": ({"target": 10}, None),
    "kuhn": ({"cards": 5}, Fraction(-1, 15)),
    "leduc": ({}, Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)),
    "goofspiel": ({"cards": 3}, 0),
    "matrix": ({}, None),
    "vonneumann": ({}, None),
    "inspection": ({}, None),
}


WIN_RATES = {"pig"}


class Asked(yk.Game):
    """The rules of a registered game, asked one state at a time, as if they were somebody's own."""

    def __init__(self, game):
        self.asked = game
        self.players = game.players

    @property
    def hidden(self):
        return self.asked.hidden

    def start(self):
        return self.asked.start()

    def turn(self, s):
        return self.asked.turn(s)

    def actions(self, s):
        return self.asked.actions(s)

    def chance(self, s):
        return self.asked.chance(s)

    def apply(self, s, a):
        return self.asked.apply(s, a)

    def utility(self, s):
        return self.asked.utility(s)

    def info(self, s, player):
        return self.asked.info(s, player)


@pytest.mark.parametrize("name", VALUES)
def test_law_rules_asked_from_outside_come_to_the_same_value(name):
    settings, value = VALUES[name]
    game = yk.game(name, **settings)
    solved = game.solve()
    mine = yk.solve(Asked(game))
    assert solved.certainty == "exact"
    # Games of chance tell the share of games won; the rules pay 1 and −1.
    assert mine.value == (2 * solved.value - 1 if name in WIN_RATES else solved.value)
    if value is not None:
        assert mine.value == value


@pytest.mark.parametrize("name", NAMES)
def test_law_every_game_is_shown_and_played_to_its_end(name):
    small = {"memory": {"ranks": 2}, "geister": {}, "liarsdice": {"sides": 2}, "yahtzee": {"categories": "aces"}, "othello": {}}
    game = yk.game(name, **small.get(name, {}))
    if name not in ("othello", "connectfour", "dots", "domineering", "kalah", "einstein", "foxhounds", "yahtzee", "rook", "morris", "hex"):
        position = game.show()
        assert position.svg.startswith("<svg") or "<svg" in position.svg
        assert position._repr_html_()
        values = [m.value for m in position.moves if m.value is not None]
        assert values == sorted(values, reverse=True)
        assert all(m.best for m in position.best)
    match = game.play(seed=3)
    for turn in range(400):
        if match.turn is None:
            break
        accepted = match._native.accepts()
        # Where a strategy tells nobody what it thinks, only the machine can move.
        match.apply(accepted[turn * 7 % len(accepted)][0]) if accepted else match.best()
    else:
        assert name in ("geister", "mutorere", "morris", "dodgem", "foxhounds", "rook", "pig"), name
        return
    assert match.result and match.moves() == [] and match.hint() is None
    assert match.undo() and match.turn is not None
    assert str(match) and repr(match) and match._repr_html_()


def test_law_play_follows_its_hints():
    match = yk.game("nim", heaps="3,4,5").play()
    while match.turn is not None:
        match.apply(match.hint()) if match.turn == 0 else match.best()
    assert match.score(0) == 1 and match.score(1) == -1
    assert match.record()["mistakes"] == []
    with pytest.raises(ValueError, match="the game is over"):
        match.apply("A1")


def program():
    found = os.environ.get("YOMIKIRI_PROGRAM")
    if not found:
        pytest.skip("YOMIKIRI_PROGRAM names no program to compare with")
    return found


def test_law_python_says_what_the_command_line_says():
    def said(*args, input=None):
        out = subprocess.run([program(), *args, "--json", "--no-cache"], capture_output=True, text=True, check=True, input=input)
        return json.loads(out.stdout)

    for name, flags in (("memory", ["--ranks", "5"]), ("nim", []), ("kuhn", []), ("sixtysix", [])):
        settings = dict(zip((f[2:] for f in flags[::2]), flags[1::2]))
        mine, theirs = yk.game(name, **settings).solve().json, said("solve", name, *flags)
        for noise in ("seconds", "cached"):
            mine.pop(noise, None), theirs.pop(noise, None)
        assert mine == theirs, name


def test_law_eval_is_the_same_for_one_and_many_and_any_threads():
    game = yk.game("memory")
    requests = [{"id": i, "counts": [i % 3, 0, 0, 1, 0, 0, 0, i % 2, 0]} for i in range(300)]
    many = game.eval(requests, threads=2)
    assert many == [game.eval([r], threads=1)[0] for r in requests]
    assert [a["id"] for a in many] == list(range(300))
    assert game.eval([]) == []
    assert "error" in game.eval([{"counts": "x"}])[0]
    assert game.eval([{"counts": np.array([2, 0, 0, 0, 0, 0, 0, 0, 0])}], exact=True)[0]["value"] == "17/35"


def test_law_a_table_is_mapped_and_asked(tmp_path):
    folder = tmp_path / "table"
    subprocess.run([program(), "table", "build", "memory", "--ranks", "5", "--out", folder], check=True, capture_output=True)
    game = yk.game("memory", ranks=5)
    table = game.table(folder)
    assert len(table) > 0
    array = table[table.files[0]]
    assert isinstance(array, np.memmap) and not array.flags.writeable
    assert table.value("2x22") == yk.game("memory").show("2x22").value
    with pytest.raises(KeyError, match="accepted: "):
        table["nothing.npy"]
    with pytest.raises(ValueError, match="accepted: one of 'geister'"):
        yk.game("geister").table(folder)


def test_law_studies_are_columns_and_frames():
    rows = yk.study("accordion", "solvable", deals=50, seed=3)
    assert rows.rows == 50 and rows["states"].dtype == np.dtype("<i8")
    assert rows["deal"].tolist() == list(range(50))
    again = yk.study("accordion", "solvable", deals=50, seed=3, threads=1)
    assert all((rows[name] == again[name]).all() for name in rows)
    assert yk.study("memory", "check").json
    pandas = pytest.importorskip("pandas")
    assert isinstance(rows.to_pandas(), pandas.DataFrame) and len(rows.to_pandas()) == 50
    polars = pytest.importorskip("polars")
    assert isinstance(rows.to_polars(), polars.DataFrame)


def test_law_papers_are_computed_again():
    again = yk.reproduce("memory", only=["table-2"])
    assert again.differing == 0 and again.compared == len(again.figures) == 4
    assert {figure["verdict"] for figure in again.figures} == {"match"}
    assert re.search("322084", again._repr_html_())


def test_law_a_registered_game_is_solved_by_its_own_solver():
    assert isinstance(yk.solve(yk.game("nim")), yk.Solution)
    assert isinstance(yk.solve(Asked(yk.game("nim"))), own.OwnSolution)
