"""Games as Gambit's ``.efg`` files, in and out, in fractions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

from yomikiri.rules import CHANCE, END, Game, called

#: Nodes of a game tree that are written at most, unless more are asked for.
MOST = 1_000_000


class _Node:
    __slots__ = ("actions", "children", "info", "outcome", "player", "weights")

    def __init__(self) -> None:
        self.player = END
        self.info: Any = None
        self.actions: list[str] = []
        self.weights: list[int] = []
        self.children: list[int] = []
        self.outcome: tuple[Fraction, ...] | None = None


class EfgGame(Game):
    """A game read from an ``.efg`` file. A state is the number of a node and what the outcomes on the way there paid."""

    def __init__(self, name: str, players: list[str], nodes: list[_Node]) -> None:
        self.name = name or None
        self.players = len(players)
        #: What the players are called.
        self.player_names = players
        self._nodes = nodes
        # Two nodes of one player that share a number of information look the same to it.
        seen = [(n.player, n.info) for n in nodes if n.player >= 0]
        self._hidden = len(set(seen)) < len(seen)

    @property
    def hidden(self) -> bool:
        return self._hidden

    def start(self) -> Any:
        return (0, self._paid(0, (Fraction(0),) * self.players))

    def _paid(self, node: int, so_far: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        outcome = self._nodes[node].outcome
        return tuple(a + b for a, b in zip(so_far, outcome)) if outcome else so_far

    def _node(self, s: Any) -> _Node:
        return self._nodes[int(s[0])]

    def turn(self, s: Any) -> int:
        return self._node(s).player

    def actions(self, s: Any) -> list[str]:
        return self._node(s).actions

    def chance(self, s: Any) -> list[tuple[str, int]]:
        node = self._node(s)
        return list(zip(node.actions, node.weights))

    def apply(self, s: Any, a: str) -> Any:
        node = self._node(s)
        child = node.children[node.actions.index(a)]
        return (child, self._paid(child, s[1]))

    def utility(self, s: Any) -> tuple[Fraction, ...]:
        paid: tuple[Fraction, ...] = s[1]
        return paid

    def info(self, s: Any, player: int) -> Any:
        return self._node(s).info


class _Words:
    """The words of a file, one after another: names in quotes, brackets, numbers."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.words = list(self._split(text))
        self.at = 0

    def _split(self, text: str) -> Iterator[tuple[str, str, int]]:
        at, line, end = 0, 1, len(text)
        while at < end:
            c = text[at]
            if c == "\n":
                line += 1
                at += 1
            elif c.isspace() or c == ",":
                at += 1
            elif c == '"':
                begin, name, from_line = at, [], line
                at += 1
                while at < end and text[at] != '"':
                    if text[at] == "\\" and at + 1 < end and text[at + 1] in '"\\':
                        at += 1
                    line += text[at] == "\n"
                    name.append(text[at])
                    at += 1
                if at >= end:
                    raise ValueError(f"{self.path}, line {from_line}: a name without an end: {text[begin:begin + 40]!r}")
                at += 1
                yield "name", "".join(name), from_line
            elif c in "{}":
                at += 1
                yield c, c, line
            else:
                begin = at
                while at < end and not text[at].isspace() and text[at] not in '{},"':
                    at += 1
                yield "word", text[begin:at], line

    def wrong(self, accepts: str) -> ValueError:
        if self.at < len(self.words):
            _, word, line = self.words[self.at]
            return ValueError(f"{self.path}, line {line}: got {word!r}; accepted: {accepts}")
        return ValueError(f"{self.path}: it ends too early; accepted: {accepts}")

    def more(self) -> bool:
        return self.at < len(self.words)

    def is_(self, kind: str) -> bool:
        return self.more() and self.words[self.at][0] == kind

    def take(self, kind: str, accepts: str) -> str:
        if not self.is_(kind):
            raise self.wrong(accepts)
        word = self.words[self.at][1]
        self.at += 1
        return word

    def number(self) -> Fraction:
        word = self.take("word", "a number, as 3, 0.5 or 1/3")
        try:
            return Fraction(word)
        except (ValueError, ZeroDivisionError):
            self.at -= 1
            raise self.wrong("a number, as 3, 0.5 or 1/3") from None

    def whole(self, accepts: str = "a whole number") -> int:
        word = self.take("word", accepts)
        if not word.lstrip("-").isdigit():
            self.at -= 1
            raise self.wrong(accepts)
        return int(word)

    def names(self) -> list[str]:
        self.take("{", "{")
        names = []
        while not self.is_("}"):
            names.append(self.take("name", "a name in quotes, or }"))
        self.take("}", "}")
        return names


def read_efg(path: str | os.PathLike[str]) -> EfgGame:
    """Reads a game from Gambit's ``.efg`` format. Numbers are read as they are written, decimals included, and so are
    exact.

    >>> import tempfile
    >>> text = '''EFG 2 R "Matching pennies" { "A" "B" }
    ... ""
    ... p "" 1 1 "" { "H" "T" } 0
    ... p "" 2 1 "" { "H" "T" } 0
    ... t "" 1 "" { 1 -1 }
    ... t "" 2 "" { -1 1 }
    ... p "" 2 1 "" { "H" "T" } 0
    ... t "" 3 "" { -1 1 }
    ... t "" 4 "" { 1 -1 }
    ... '''
    >>> with tempfile.NamedTemporaryFile("w", suffix=".efg", delete=False) as file:
    ...     _ = file.write(text)
    >>> from yomikiri import solve
    >>> solve(read_efg(file.name)).value
    Fraction(0, 1)
    """
    name = os.fspath(path)
    with open(path, encoding="utf-8", errors="replace") as file:
        words = _Words(file.read(), name)
    accepts = "EFG 2 R at the beginning"
    if words.take("word", accepts) != "EFG" or words.take("word", accepts) != "2" or words.take("word", accepts) not in "RD":
        raise ValueError(f"{name}: accepted: a file that begins with EFG 2 R")
    title = words.take("name", "the name of the game in quotes")
    players = words.names()
    if not 1 <= len(players) <= 8:
        raise ValueError(f"{name}: got {len(players)} players; accepted: 1 to 8")
    if words.is_("name"):
        words.take("name", "a comment")
    reader = _Reader(words, len(players))
    return EfgGame(title, players, reader.nodes())


class _Reader:
    """Reads the nodes of a file, each before its children."""

    def __init__(self, words: _Words, players: int) -> None:
        self.words, self.players = words, players
        self.outcomes: dict[int, tuple[Fraction, ...]] = {}
        #: Actions and weights by player and number of information, for where they are not written again.
        self.known: dict[tuple[int, int], tuple[list[str], list[int]]] = {}

    def nodes(self) -> list[_Node]:
        all_: list[_Node] = []
        open_: list[tuple[_Node, int]] = []
        late: list[tuple[_Node, int]] = []
        while True:
            node, number = self.node()
            if number:
                late.append((node, number))
            all_.append(node)
            if open_:
                open_[-1][0].children.append(len(all_) - 1)
            if node.actions:
                open_.append((node, len(node.actions)))
            while open_ and len(open_[-1][0].children) == open_[-1][1]:
                open_.pop()
            if not open_:
                break
        if self.words.more():
            raise self.words.wrong("nothing more: all actions lead somewhere")
        for node, number in late:
            if number not in self.outcomes:
                raise ValueError(f"{self.words.path}: outcome {number} is not defined; accepted: one with payoffs")
            node.outcome = self.outcomes[number]
        return all_

    def node(self) -> tuple[_Node, int]:
        words, node = self.words, _Node()
        kind = words.take("word", "c, p or t")
        if kind not in ("c", "p", "t"):
            words.at -= 1
            raise words.wrong("c, p or t")
        words.take("name", "the name of a node in quotes")
        if kind == "t":
            return node, self.outcome()
        if kind == "p":
            player = words.whole()
            if not 1 <= player <= self.players:
                words.at -= 1
                raise words.wrong(f"a player from 1 to {self.players}")
            node.player = player - 1
        else:
            node.player = CHANCE
        info = words.whole("the number of what the player knows")
        node.info = info
        if words.is_("name"):
            words.take("name", "its name")
        key = (node.player, info)
        if words.is_("{"):
            self.known[key] = self.choices(kind == "c")
        if key not in self.known:
            raise words.wrong("the actions in brackets")
        node.actions, node.weights = self.known[key]
        return node, self.outcome()

    def choices(self, chance: bool) -> tuple[list[str], list[int]]:
        words = self.words
        words.take("{", "{")
        names: list[str] = []
        shares: list[Fraction] = []
        while not words.is_("}"):
            names.append(words.take("name", "the name of an action in quotes, or }"))
            if chance:
                shares.append(words.number())
        if not names:
            raise words.wrong("at least one action")
        words.take("}", "}")
        # Names need not differ in a file; here they must.
        for at, name in enumerate(names):
            if not name or names.index(name) < at:
                names[at] = f"{name}#{at + 1}"
        if not chance:
            return names, [1] * len(names)
        if min(shares) < 0 or sum(shares) != 1:
            raise ValueError(f"{words.path}: got probabilities {' '.join(map(str, shares))}; accepted: those from 0 on that add up to 1")
        below = lcm(*(share.denominator for share in shares))
        weights = [int(share * below) for share in shares]
        if min(weights) == 0:
            raise ValueError(f"{words.path}: got a probability of 0; accepted: outcomes that can happen")
        return names, weights

    def outcome(self) -> int:
        words = self.words
        number = words.whole("the number of an outcome")
        if not number:
            return 0
        if words.is_("name"):
            words.take("name", "its name")
        if words.is_("{"):
            words.take("{", "{")
            payoffs = []
            while not words.is_("}"):
                payoffs.append(words.number())
            if len(payoffs) != self.players:
                raise words.wrong(f"{self.players} payoffs")
            words.take("}", "}")
            self.outcomes[number] = tuple(payoffs)
        return number


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def write_efg(game: Game, path: str | os.PathLike[str], *, most: int = MOST) -> int:
    """Writes a game as an ``.efg`` file, in fractions, with a name of its own for everything a player may know; how many
    nodes it has. ``most`` is how many there may be.

    >>> import os, tempfile
    >>> from yomikiri import game, solve
    >>> path = os.path.join(tempfile.mkdtemp(), "kuhn.efg")
    >>> write_efg(game("kuhn"), path)
    58
    >>> solve(read_efg(path)).value
    Fraction(-1, 18)
    """
    infos: dict[tuple[int, Any], int] = {}
    numbers = [0] * (game.players + 1)
    lines = [f"EFG 2 R {_quoted(called(game))} {{ {' '.join(_quoted(f'Player {p + 1}') for p in range(game.players))} }}", '""']
    hidden = game.hidden
    waiting: list[tuple[Any, frozenset[Any]]] = [(game.start(), frozenset())]
    outcomes = written_nodes = 0
    while waiting:
        s, above = waiting.pop()
        written_nodes += 1
        if written_nodes > most:
            raise ValueError(f"most: the tree has more than {most:,} nodes; accepted: a larger most, or a smaller game")
        if s in above:
            raise ValueError(f"game: {s!r} comes twice in one game; accepted: games that end")
        turn = game.turn(s)
        if turn == END:
            outcomes += 1
            payoffs = " ".join(str(Fraction(x)) for x in game.utility(s))
            lines.append(f't "" {outcomes} "" {{ {payoffs} }}')
            continue
        if turn == CHANCE:
            pairs = list(game.chance(s))
            total = sum(weight for _, weight in pairs)
            numbers[0] += 1
            listed = " ".join(f"{_quoted(str(a))} {Fraction(weight, total)}" for a, weight in pairs)
            lines.append(f'c "" {numbers[0]} "" {{ {listed} }} 0')
            actions = [a for a, _ in pairs]
        else:
            actions = list(game.actions(s))
            known = (turn, game.info(s, turn) if hidden else written_nodes)
            if hidden:
                # In the order of their names, so that it is the same wherever a player knows the same.
                actions.sort(key=str)
            if known not in infos:
                numbers[turn + 1] += 1
                infos[known] = numbers[turn + 1]
            number = infos[known]
            labels = [str(a) for a in actions]
            if len(set(labels)) < len(labels):
                labels = [f"{label}#{at + 1}" for at, label in enumerate(labels)]
            listed = " ".join(map(_quoted, labels))
            lines.append(f'p "" {turn + 1} {number} {_quoted(f"{turn + 1}:{number}")} {{ {listed} }} 0')
        below = above | {s}
        waiting.extend((game.apply(s, a), below) for a in reversed(actions))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return written_nodes
