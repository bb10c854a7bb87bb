"""Games solved exactly: the rules of a game in, its value as a fraction out.

>>> import yomikiri as yk
>>> yk.game("kuhn").solve().value
Fraction(-1, 18)

Your own game is a class with a few methods:

>>> class Nim(yk.Game):
...     players = 2
...     def start(self): return (0, 1, 2)                      # who is to move, and the heaps
...     def turn(self, s): return s[0] if any(s[1:]) else yk.END
...     def actions(self, s): return [(i, n) for i in (1, 2) for n in range(1, s[i] + 1)]
...     def apply(self, s, a):
...         heaps = list(s)
...         heaps[a[0]] -= a[1]
...         return (1 - s[0], *heaps[1:])
...     def utility(self, s): return (-1, 1) if s[0] == 0 else (1, -1)
>>> solution = yk.solve(Nim())
>>> solution.value, solution.method
(Fraction(1, 1), 'induction')
>>> solution.moves((0, 1, 2))[0].action
(2, 1)
"""

from yomikiri._native import VERSION as __version__
from yomikiri.checking import Checked, check
from yomikiri.efg import read_efg, write_efg
from yomikiri.openspiel import from_openspiel, to_openspiel
from yomikiri.own import OwnSolution, Response, best_response, serve, solve
from yomikiri.registered import Answers, Match, Position, Puzzle, RegisteredGame, Solution, game, games
from yomikiri.rules import CHANCE, END, Game, Move
from yomikiri.studies import Part, Reproduction, Rows, reproduce, study
from yomikiri.tables import Table

__all__ = [
    "CHANCE",
    "END",
    "Answers",
    "Checked",
    "Game",
    "Match",
    "Move",
    "OwnSolution",
    "Part",
    "Position",
    "Puzzle",
    "RegisteredGame",
    "Reproduction",
    "Response",
    "Rows",
    "Solution",
    "Table",
    "__version__",
    "best_response",
    "check",
    "from_openspiel",
    "game",
    "games",
    "read_efg",
    "reproduce",
    "serve",
    "solve",
    "study",
    "to_openspiel",
    "write_efg",
]
