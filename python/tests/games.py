"""Small games of our own, and slow, obvious twins of what is tested."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import yomikiri as yk


class Nim(yk.Game):
    """Whoever takes the last stone wins."""

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps

    def start(self):
        return (0, self.heaps)

    def turn(self, s):
        return s[0] if any(s[1]) else yk.END

    def actions(self, s):
        return [(i, n) for i, heap in enumerate(s[1]) for n in range(1, heap + 1)]

    def apply(self, s, a):
        heaps = list(s[1])
        heaps[a[0]] -= a[1]
        return (1 - s[0], tuple(heaps))

    def utility(self, s):
        return (1, -1) if s[0] == 1 else (-1, 1)


class TicTacToe(yk.Game):
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def start(self):
        return "." * 9

    def won(self, s):
        return any(s[a] != "." and s[a] == s[b] == s[c] for a, b, c in self.lines)

    def turn(self, s):
        return yk.END if self.won(s) or "." not in s else s.count(".") % 2 ^ 1

    def actions(self, s):
        return [i for i in range(9) if s[i] == "."]

    def apply(self, s, a):
        return s[:a] + "ox"[s.count(".") % 2] + s[a + 1 :]

    def utility(self, s):
        if not self.won(s):
            return (0, 0)
        return (-1, 1) if s.count(".") % 2 else (1, -1)

    def text(self, s):
        return "\n".join(s[i : i + 3] for i in (0, 3, 6))


class Kuhn(yk.Game):
    """One card each of some; bets of one chip."""

    def __init__(self, cards: int = 3) -> None:
        self.cards = cards

    def start(self):
        return ((), "")

    def turn(self, s):
        hands, acts = s
        if len(hands) < 2:
            return yk.CHANCE
        return yk.END if acts in ("cc", "cbf", "cbk", "bf", "bk") else len(acts) % 2

    def chance(self, s):
        return [(card, 1) for card in range(self.cards) if card not in s[0]]

    def actions(self, s):
        return ["f", "k"] if s[1].endswith("b") else ["c", "b"]

    def apply(self, s, a):
        hands, acts = s
        return ((*hands, a), acts) if len(hands) < 2 else (hands, acts + a)

    def utility(self, s):
        (a, b), acts = s
        if acts.endswith("f"):
            won = 1 if acts == "bf" else -1
        else:
            won = (2 if "k" in acts else 1) * (1 if a > b else -1)
        return (won, -won)

    def info(self, s, player):
        return (s[0][player], s[1])


class Rolls(yk.Game):
    """Both roll a die of so many sides; the first may roll again once. The higher number wins, a draw is the second's."""

    def __init__(self, sides: int = 6) -> None:
        self.sides = sides

    def start(self):
        return ("first", 0, 0)

    def turn(self, s):
        return {"first": yk.CHANCE, "again": 0, "more": yk.CHANCE, "second": yk.CHANCE, "end": yk.END}[s[0]]

    def chance(self, s):
        return [(side, 1) for side in range(1, self.sides + 1)]

    def actions(self, s):
        return ["keep", "roll"]

    def apply(self, s, a):
        stage, mine, _ = s
        if stage == "first":
            return ("again", a, 0)
        if stage == "again":
            return ("more", 0, 0) if a == "roll" else ("second", mine, 0)
        if stage == "more":
            return ("second", a, 0)
        return ("end", mine, a)

    def utility(self, s):
        return (1, -1) if s[1] > s[2] else (-1, 1)


class Circle(yk.Game):
    """A token on a ring of so many fields; the players push it one back, or one or two on, in turn. On field 0 the game is over."""

    def __init__(self, fields: int) -> None:
        self.fields = fields

    def start(self):
        return (0, self.fields // 2)

    def turn(self, s):
        return yk.END if s[1] == 0 else s[0]

    def actions(self, s):
        return [-1, 1, 2]

    def apply(self, s, a):
        return (1 - s[0], (s[1] + a) % self.fields)

    def utility(self, s):
        return (1, -1) if s[0] == 1 else (-1, 1)


class Random(yk.Game):
    """A random tree; with ``hidden`` a player knows its own moves and part of the others' and of chance."""

    def __init__(self, seed: int, players: int, depth: int, hidden: bool, zero_sum: bool, chance: bool = True) -> None:
        self.seed, self.players, self.depth, self.zero = seed, players, depth, zero_sum
        self.with_chance = chance
        self._hidden = hidden
        self.see = random.Random(seed).choices([False, True], k=depth * players)

    @property
    def hidden(self):
        return self._hidden

    def dice(self, *words: Any) -> random.Random:
        return random.Random(repr((self.seed, *words)))

    def start(self):
        return ()

    def kind(self, level: int) -> int:
        kinds = [*range(self.players), *([yk.CHANCE] if self.with_chance else [])]
        return self.dice("turn", level).choice(kinds)

    def turn(self, s):
        return yk.END if len(s) == self.depth else self.kind(len(s))

    def count(self, s) -> int:
        return self.dice("count", len(s)).choice([1, 2, 2, 3])

    def actions(self, s):
        return list(range(self.count(s)))

    def chance(self, s):
        return [(a, self.dice("weight", s, a).randint(1, 4)) for a in range(self.count(s))]

    def apply(self, s, a):
        return (*s, a)

    def utility(self, s):
        row = [Fraction(self.dice("pay", s, p).randint(-6, 6), self.dice("below").choice([1, 2, 3])) for p in range(self.players)]
        if self.zero:
            row[-1] = -sum(row[:-1], Fraction(0))
        return tuple(row)

    def info(self, s, player):
        def seen(level: int) -> bool:
            return self.kind(level) == player or self.see[level * self.players + player]

        return (len(s), tuple(a if seen(level) else None for level, a in enumerate(s)))


def plain_value(game: yk.Game, s: Any = None, first: bool = True) -> tuple[Fraction, ...]:
    """What every player gets, by plain recursion; of equal moves the first is taken."""
    s = game.start() if first else s
    turn = game.turn(s)
    if turn == yk.END:
        return tuple(Fraction(x) for x in game.utility(s))
    if turn == yk.CHANCE:
        outcomes = list(game.chance(s))
        total = sum(w for _, w in outcomes)
        rows = [(plain_value(game, game.apply(s, a), False), w) for a, w in outcomes]
        return tuple(sum((row[p] * w for row, w in rows), Fraction(0)) / total for p in range(game.players))
    rows = [plain_value(game, game.apply(s, a), False) for a in game.actions(s)]
    return max(rows, key=lambda row: row[turn])


def informations(game: yk.Game) -> dict[tuple[int, Any], list[Any]]:
    """Everything a player may know, with its actions."""
    found: dict[tuple[int, Any], list[Any]] = {}
    waiting = [game.start()]
    while waiting:
        s = waiting.pop()
        turn = game.turn(s)
        if turn == yk.END:
            continue
        actions = [a for a, _ in game.chance(s)] if turn == yk.CHANCE else list(game.actions(s))
        if turn >= 0:
            found[(turn, game.info(s, turn) if game.hidden else s)] = actions
        waiting.extend(game.apply(s, a) for a in actions)
    return found


def payoff(game: yk.Game, shares: Any, player: int, s: Any = None, first: bool = True) -> Fraction:
    """What a player gets where everybody does what ``shares(seat, known)`` says."""
    s = game.start() if first else s
    turn = game.turn(s)
    if turn == yk.END:
        return Fraction(game.utility(s)[player])
    if turn == yk.CHANCE:
        outcomes = list(game.chance(s))
        total = sum(w for _, w in outcomes)
        each = [(a, Fraction(w, total)) for a, w in outcomes]
    else:
        each = list(shares(turn, game.info(s, turn) if game.hidden else s).items())
    return sum((share * payoff(game, shares, player, game.apply(s, a), False) for a, share in each if share), Fraction(0))


def pure_strategies(game: yk.Game, player: int) -> int:
    """How many pure strategies a player has."""
    return math.prod(len(actions) for (seat, _), actions in informations(game).items() if seat == player)


def plain_response(game: yk.Game, shares: Any, player: int) -> Fraction:
    """The best of all pure strategies of a player, one after another."""
    own = {known: actions for (seat, known), actions in informations(game).items() if seat == player}
    best = None
    for chosen in itertools.product(*own.values()):
        pure = dict(zip(own, chosen))

        def both(seat: int, known: Any) -> dict[Any, Fraction]:
            return {pure[known]: Fraction(1)} if seat == player else shares(seat, known)

        value = payoff(game, both, player)
        best = value if best is None or value > best else best
    return best if best is not None else payoff(game, shares, player)
