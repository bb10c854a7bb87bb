"""What a game is: a class with a few methods."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any

#: What :meth:`Game.turn` returns where chance acts.
CHANCE = -1
#: What :meth:`Game.turn` returns where the game is over.
END = -2


class Game:
    """The rules of a game, with its parameters fixed. Write your own by deriving from this.

    States may be anything hashable, as tuples; so may actions. Whatever else the object holds must not change.

    ``info`` is for games in which players do not see everything: it says what the player to move knows, all it has seen
    and done included. Games without it are open: everybody sees everything.

    ``key`` may say which states are worth the same: those with equal keys. Who is to move belongs to it.
    """

    #: How many players there are, 1 to 8.
    players: int = 2
    #: Whether what one player gains the others lose; ``None``: as the payoffs turn out. ``True`` holds them to it.
    zero_sum: bool | None = None
    #: What it is called; by default as the class is.
    name: str | None = None

    def start(self) -> Any:
        """The state in which the game begins."""
        raise NotImplementedError(f"{type(self).__name__}.start is not written")

    def turn(self, s: Any) -> int:
        """Who acts: a player from 0 on, :data:`CHANCE` or :data:`END`."""
        raise NotImplementedError(f"{type(self).__name__}.turn is not written")

    def actions(self, s: Any) -> Iterable[Any]:
        """What the player to move can do."""
        raise NotImplementedError(f"{type(self).__name__}.actions is not written")

    def chance(self, s: Any) -> Iterable[tuple[Any, int]]:
        """What chance may do, each with a weight: a whole number, so that probabilities are exact."""
        raise NotImplementedError(f"{type(self).__name__}.chance is not written")

    def apply(self, s: Any, a: Any) -> Any:
        """The state after an action."""
        raise NotImplementedError(f"{type(self).__name__}.apply is not written")

    def utility(self, s: Any) -> Sequence[int | Fraction]:
        """What each player gets, where the game is over."""
        raise NotImplementedError(f"{type(self).__name__}.utility is not written")

    def info(self, s: Any, player: int) -> Hashable:
        """What the player to move knows, where players do not see everything."""
        raise NotImplementedError(f"{type(self).__name__}.info is not written")

    def key(self, s: Any) -> Hashable:
        """What is the same for states that are worth the same."""
        raise NotImplementedError(f"{type(self).__name__}.key is not written")

    def text(self, s: Any) -> str:
        """How a state is shown."""
        return str(s)

    @property
    def hidden(self) -> bool:
        """Whether players do not see everything."""
        return written(self, "info")


def written(game: Game, method: str) -> bool:
    """Whether a game has a method of its own.

    >>> class Coin(Game):
    ...     def key(self, s): return s
    >>> written(Coin(), "key"), written(Coin(), "info")
    (True, False)
    """
    return getattr(type(game), method, None) is not getattr(Game, method) or method in vars(game)


def called(game: Game) -> str:
    """What a game is called."""
    return game.name if isinstance(game.name, str) and game.name else type(game).__name__


def shown(value: Any) -> str:
    """A value in a few letters: a fraction as such where it is short.

    >>> shown(Fraction(-1, 18)), shown(Fraction(3)), shown(None), shown(0.25)
    ('-1/18', '3', '?', '0.25')
    """
    if value is None:
        return "?"
    text = str(value)
    return text if len(text) <= 24 else f"{float(value):.6g}"


@dataclasses.dataclass(frozen=True)
class Move:
    """Something the player to move can do, and what that is worth to it."""

    #: The action; of a registered game, what would be typed for it.
    action: Any
    #: What it is.
    label: str
    #: What it is worth to the player to move: a fraction where that is exact, ``None`` where nothing is known.
    value: Fraction | float | None
    #: Whether it is as good as any.
    best: bool

    @property
    def id(self) -> Any:
        """The action."""
        return self.action


def moves_table(moves: Sequence[Move]) -> str:
    """Moves as a table for notebooks."""
    rows = "".join(
        f"<tr><td>{'★' if m.best else ''}</td><td style='text-align:left'>{html.escape(m.label)}</td>"
        f"<td>{html.escape(shown(m.value))}</td></tr>"
        for m in moves
    )
    return f"<table><tr><th></th><th style='text-align:left'>move</th><th>value</th></tr>{rows}</table>"
