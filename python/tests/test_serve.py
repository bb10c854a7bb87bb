"""Games of one's own on the page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.parse
import urllib.request

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

SERVE = """
import sys
sys.path.insert(0, sys.argv[1])
import yomikiri as yk
import games
yk.serve(getattr(games, sys.argv[2])(), port=0, threads=1, memory=1 << 30)
"""


class Served:
    """A server of a game, asked until it is interrupted."""

    def __init__(self, name: str) -> None:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, os.path.dirname(__file__), name],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=env,
        )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()

    def ask(self, path: str, body: dict | None = None):
        url = urllib.parse.urljoin(self.address, path)
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data else {}
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=60) as answer:
            return json.load(answer)

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=60)
        assert "KeyboardInterrupt" in said, said


def test_law_an_open_game_is_shown_and_played_on_its_squares():
    with Served("TicTacToe") as served:
        assert served.address.endswith("/board?game=tictactoe-own")
        shown = served.ask("/api/show/tictactoe-own?position=" + urllib.parse.quote("x.. .o. ..."))
        assert shown["fraction"] == "0" and shown["kind"] == "exact"
        begun = {"settings": {}, "seed": 1, "seat": 0, "moves": ["4"], "hints": "all", "machine": True}
        played = served.ask("/api/play/tictactoe-own", begun)
        scene = played.get("scene", played)
        # Every move lies on the square it changes.
        moves = scene["moves"]
        assert moves and all(len(move["on"]) == 1 and move["on"][0].startswith("board/") for move in moves)


def test_law_nobody_is_told_what_is_hidden():
    with Served("Kuhn") as served:
        first = served.ask("/api/play/kuhn-own", {"settings": {}, "seed": 1, "seat": 0, "moves": [], "hints": "all", "machine": True})
        told = json.dumps(first)
        # The first player reads its own card, as `info` writes it, and no pair of cards.
        assert "''" in told and "((" not in told
