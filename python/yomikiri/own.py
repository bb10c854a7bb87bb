"""Games written in Python: walked through once, then solved by the same solvers as all others."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from yomikiri import _native
from yomikiri.options import Options, Progress
from yomikiri.rules import CHANCE, END, Game, Move, called, moves_table, shown, written

#: Numbers that payoffs may be made of once they are whole.
_LEAST, _MOST = -(1 << 31), (1 << 31) - 1


class _Prices:
    """Payoffs as whole numbers: every payoff is ``(whole / scale) + shift``."""

    def __init__(self, game: Game, expanded: _native.Expanded, cyclic: Callable[[], bool]) -> None:
        rows = [self._row(game, row) for row in expanded.rows]
        players = expanded.players
        sums = {sum(row) for row in rows}
        self.shift = Fraction(0)
        self.opposed = players == 2 and sums <= {0}
        if players == 2 and len(sums) == 1 and not self.opposed and game.zero_sum is None and not cyclic():
            # What one gains the other loses all the same; endless play would be worth 0, which is not the middle.
            self.shift = Fraction(next(iter(sums)), 2)
            self.opposed = True
        if game.zero_sum and not sums <= {0}:
            row = next(row for row in rows if sum(row))
            state = self._state_of(expanded, rows.index(row))
            raise ValueError(
                f"{type(game).__name__}.utility({state!r}) returned {tuple(map(shown, row))}, which does not add up to 0; "
                "accepted: payoffs that do, or zero_sum = False"
            )
        if game.zero_sum is False:
            self.opposed = False
        self.scale = lcm(1, *((x - self.shift).denominator for row in rows for x in row))
        self.whole = [int((x - self.shift) * self.scale) for row in rows for x in row]
        if any(not _LEAST <= x <= _MOST for x in self.whole):
            largest = max((abs(x) for row in rows for x in row), default=Fraction(0))
            raise ValueError(
                f"{type(game).__name__}.utility returned payoffs up to {shown(largest)} over a common denominator of {self.scale}; "
                "accepted: payoffs that are whole numbers below 2**31 once multiplied by it"
            )

    @staticmethod
    def _row(game: Game, row: tuple[Any, ...]) -> tuple[Fraction, ...]:
        for x in row:
            if isinstance(x, bool) or not isinstance(x, (int, Fraction)):
                try:
                    # Whole numbers of other libraries, as numpy's.
                    x.__index__()
                except (AttributeError, TypeError):
                    raise ValueError(
                        f"{type(game).__name__}.utility returned {row!r}; accepted: int or Fraction, because "
                        f"{type(x).__name__} is not exact"
                    ) from None
        return tuple(x if isinstance(x, Fraction) else Fraction(int(x)) for x in row)

    @staticmethod
    def _state_of(expanded: _native.Expanded, row: int) -> Any:
        for number, state in enumerate(expanded.states):
            if expanded.turn(number) == END and expanded.detail(number) == row:
                return state
        return None

    def value(self, whole: Fraction) -> Fraction:
        """A value on the scale of the payoffs."""
        return whole / self.scale + self.shift


class _Walked:
    """A game with everything that can be reached in it."""

    def __init__(self, game: Game, options: dict[str, Any]) -> None:
        if not isinstance(game, Game):
            raise ValueError(f"game: got {game!r}; accepted: an object of a class derived from yomikiri.Game")
        players = game.players
        if isinstance(players, bool) or not isinstance(players, int) or not 1 <= players <= _native.MOST_PLAYERS:
            raise ValueError(
                f"{type(game).__name__}.players is {players!r}; accepted: a whole number from 1 to {_native.MOST_PLAYERS}"
            )
        if game.zero_sum not in (None, True, False):
            raise ValueError(f"{type(game).__name__}.zero_sum is {game.zero_sum!r}; accepted: True, False or None")
        self.game = game
        self.keyed = written(game, "key")
        if self.keyed and game.hidden:
            raise ValueError(f"{type(game).__name__}.key: accepted only in games without info")
        self.expanded = _native.expand(
            game, players, game.hidden, self.keyed, options["memory"], options["progress"]
        )
        self.prices = _Prices(game, self.expanded, lambda: _native.cycles(self.expanded, options))

    def number(self, state: Any) -> int:
        """The number of a state."""
        try:
            number = self.expanded.index.get(self.game.key(state) if self.keyed else state)
        except TypeError:
            number = None
        if number is None:
            raise ValueError(f"state: got {state!r}; accepted: a state that can be reached from {self.game.start()!r}")
        return int(number)

    def label(self, action: Any) -> str:
        return action if isinstance(action, str) else str(action)

    def named(self, error: ValueError) -> ValueError:
        """An error that names a state by its number, with the state itself."""
        text = str(error)
        before, mark, number = text.rpartition("; the state is ")
        if mark and number.isdigit() and int(number) < len(self.expanded):
            return ValueError(f"{before}{mark}{self.expanded.states[int(number)]!r}")
        return error


class OwnSolution:
    """A solved game of your own."""

    def __init__(self, walked: _Walked, solved: _native.Solved) -> None:
        self._walked, self._solved = walked, solved
        #: The game.
        self.game = walked.game

    def _bounds(self, player: int) -> tuple[Fraction, Fraction]:
        bounds = self._solved.bounds(player)
        if bounds is None:
            raise ValueError(f"player: got {player}; accepted: 0 to {self.game.players - 1}")
        low, high = bounds
        return self._walked.prices.value(low), self._walked.prices.value(high)

    @property
    def values(self) -> list[Fraction | float]:
        """What every player gets from the start."""
        return [self._value(player) for player in range(self.game.players)]

    def _value(self, player: int) -> Fraction | float:
        low, high = self._bounds(player)
        return low if low == high else float((low + high) / 2)

    @property
    def value(self) -> Fraction | float:
        """What player 0 gets from the start: a fraction where it is exact, else the middle of bounds."""
        return self._value(0)

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """What player 0 gets at least and at most."""
        return self._bounds(0)

    @property
    def certainty(self) -> str:
        """``"exact"`` or ``"bound"``."""
        low, high = self._bounds(0)
        return "exact" if low == high else "bound"

    @property
    def gains(self) -> list[Fraction] | None:
        """What every player could gain by leaving its strategy, in games that have no one value: 0 for all of them is a
        Nash equilibrium. ``None`` for other games."""
        gains = self._solved.gains()
        return None if gains is None else [gain / self._walked.prices.scale for gain in gains]

    @property
    def method(self) -> str:
        """The word for how it was solved."""
        return self._solved.method

    @property
    def how(self) -> str:
        """What the game was found to be and how it was solved, in a sentence."""
        return self._solved.how

    @property
    def positions(self) -> int:
        """Positions that were solved."""
        return self._solved.positions

    @property
    def states(self) -> list[Any]:
        """Every state that can be reached, from the start on."""
        return self._walked.expanded.states

    @property
    def infos(self) -> list[tuple[int, Hashable]]:
        """Every player with everything it may know when it is to move; none where everything is seen."""
        return self._walked.expanded.infos

    @property
    def seconds(self) -> float:
        """How long it took to walk through the game."""
        return self._walked.expanded.seconds

    def value_of(self, state: Any, player: int = 0) -> Fraction:
        """What a state is worth to a player, in a game in which everything is seen."""
        if self.game.hidden:
            raise ValueError("value_of: this game hides something; accepted: moves(state) and policy(info)")
        value = self._solved.value(self._walked.number(state), self._player(player))
        if value is None:
            raise ValueError(f"player: got {player}; accepted: 0 to {self.game.players - 1}")
        return self._walked.prices.value(value)

    def distance(self, state: Any) -> int | None:
        """Moves to the end if whoever wins hurries and the other delays; ``None`` where nobody wins or chance decides."""
        return self._solved.distance(self._walked.number(state))

    def _player(self, player: Any) -> int:
        if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < self.game.players:
            raise ValueError(f"player: got {player!r}; accepted: 0 to {self.game.players - 1}")
        return player

    def moves(self, state: Any) -> list[Move]:
        """What can be done in a state and what it is worth to the player to move, best first.

        In a game that hides something, moves are worth what they bring on average by what the player knows, if the
        others keep to their strategies; ``None`` where those never let it come to this.
        """
        walked, expanded = self._walked, self._walked.expanded
        number = walked.number(state)
        player = expanded.turn(number)
        if player < 0:
            return []
        values: list[tuple[Any, Fraction | None]]
        if self.game.hidden:
            worth = self._solved.worth(player, expanded.detail(number))
            known = dict(worth) if worth else {}
            values = [(a, known.get(a)) for a, _, _ in expanded.edges_of(number)]
        else:
            values = [(a, self._solved.value(to, player)) for a, to, _ in expanded.edges_of(number)]
        best = max((value for _, value in values if value is not None), default=None)
        tolerance = 0 if self._solved.settled or self.game.hidden else self.bounds[1] - self.bounds[0]
        moves = []
        for at, value in values:
            action = expanded.actions[at]
            good = value is not None and best is not None and best - value <= tolerance
            worth_it = None if value is None else walked.prices.value(value)
            moves.append(Move(action, walked.label(action), worth_it, good))
        # Python's sort keeps the game's order among equals.
        return sorted(moves, key=lambda m: (m.value is None, -m.value if m.value is not None else 0))

    def policy(self, info: Hashable, player: int | None = None) -> dict[Any, Fraction]:
        """What a player who knows this does: every action with its probability. In a game in which everything is seen,
        ``info`` is a state, and the best moves share equally."""
        walked, expanded = self._walked, self._walked.expanded
        if not self.game.hidden:
            moves = self.moves(info)
            best = [m for m in moves if m.best]
            return {m.action: Fraction(1, len(best)) if m.best else Fraction(0) for m in moves}
        seats = range(self.game.players) if player is None else [self._player(player)]
        try:
            found = [(seat, expanded.known[(seat, info)]) for seat in seats if (seat, info) in expanded.known]
        except TypeError:
            found = []
        if not found:
            raise ValueError(f"info: got {info!r}; accepted: what a player may know when it is to move, as in .infos")
        if len(found) > 1:
            raise ValueError(f"player: got None; accepted: {' or '.join(str(seat) for seat, _ in found)}, who may all know {info!r}")
        (seat, number), = found
        shares = self._solved.policy(seat, number)
        return {expanded.actions[a]: share for a, share in shares or []}

    def policies(self) -> dict[tuple[int, Hashable], dict[Any, Fraction]]:
        """What every player does, for everything it may know."""
        return {(player, info): self.policy(info, player) for player, info in self.infos}

    def __repr__(self) -> str:
        return f"<Solution of {called(self.game)}: {shown(self.value)} [{self.certainty}], {self.how}>"

    def _repr_html_(self) -> str:
        moves = moves_table(self.moves(self.game.start()))
        head = f"<b>{html.escape(called(self.game))}</b>: {html.escape(shown(self.value))} [{self.certainty}]"
        return f"{head}<br><small>{html.escape(self.how)}</small>{moves}"


def solve(
    game: Game,
    *,
    method: str | None = None,
    threads: int | None = None,
    memory: int | None = None,
    progress: Progress | bool | None = None,
) -> Any:
    """Solves a game exactly: your own, or a registered one.

    >>> class Pennies(Game):
    ...     "Both show a coin at once; player 0 wins if they are the same, and two heads pay double."
    ...     def start(self): return ()
    ...     def turn(self, s): return len(s) if len(s) < 2 else END
    ...     def actions(self, s): return ["heads", "tails"]
    ...     def apply(self, s, a): return (*s, a)
    ...     def utility(self, s):
    ...         won = (2 if s[0] == "heads" else 1) if s[0] == s[1] else -1
    ...         return (won, -won)
    ...     def info(self, s, player): return "my turn"
    >>> solution = solve(Pennies())
    >>> solution.value
    Fraction(1, 5)
    >>> solution.policy("my turn", player=0)
    {'heads': Fraction(2, 5), 'tails': Fraction(3, 5)}
    """
    from yomikiri.registered import RegisteredGame

    if isinstance(game, RegisteredGame):
        return game.solve(method=method, threads=threads, memory=memory, progress=progress)
    with Options(threads=threads, memory=memory, method=method, progress=progress) as options:
        walked = _Walked(game, options)
        try:
            solved = _native.solve_expanded(walked.expanded, walked.prices.whole, walked.prices.opposed, options)
        except ValueError as error:
            raise walked.named(error) from None
        return OwnSolution(walked, solved)


#: What a bot does: for everything a player may know (in open games: for every state) its actions with their probabilities.
#: A mapping from what is known to that, a function of it, or a solution.
Policy = Mapping[Any, Any] | Callable[[Any], Any] | OwnSolution


@dataclasses.dataclass(frozen=True)
class Response:
    """A best response to what others do."""

    #: What it brings.
    value: Fraction
    #: What it does: the action for everything the player may know; in open games for every state in which it is to move.
    policy: dict[Any, Any]


def _shares(what: Any, actions: list[Any], where: str) -> list[Fraction]:
    """The probabilities of actions from what a policy says."""
    if what is None:
        raise ValueError(f"policy: got nothing for {where}; accepted: its actions with their probabilities")
    if not isinstance(what, Mapping):
        # A bot that does one thing.
        try:
            plays = [Fraction(int(a == what)) for a in actions]
        except (TypeError, ValueError):
            plays = []
        if sum(plays) != 1:
            raise ValueError(f"policy: got {what!r} for {where}; accepted: one of {actions!r}, or a mapping from them to probabilities")
        return plays
    strange = [a for a in what if a not in actions]
    if strange:
        raise ValueError(f"policy: got {strange[0]!r} for {where}; accepted: {actions!r}")
    try:
        shares = [Fraction(what.get(a, 0)) for a in actions]
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"policy: got {dict(what)!r} for {where}; accepted: probabilities that are numbers") from None
    if min(shares) < 0:
        raise ValueError(f"policy: got {dict(what)!r} for {where}; accepted: probabilities from 0 on")
    total = sum(shares, Fraction(0))
    # Doubles that should add up to 1 are taken as weights.
    if not Fraction(999_999, 10**6) < total < Fraction(1_000_001, 10**6):
        raise ValueError(f"policy: got {dict(what)!r} for {where}; accepted: probabilities that add up to 1")
    return [share / total for share in shares]


def best_response(
    game: Game,
    policy: Policy,
    player: int = 1,
    *,
    threads: int | None = None,
    memory: int | None = None,
    progress: Progress | bool | None = None,
) -> Response:
    """The exact best response of a player to others who follow a policy.

    The policy is a mapping from what a player knows (in open games: from a state) to its actions with their probabilities,
    or a function of it; an action alone is played for sure.

    >>> class Pennies(Game):
    ...     def start(self): return ()
    ...     def turn(self, s): return len(s) if len(s) < 2 else END
    ...     def actions(self, s): return ["heads", "tails"]
    ...     def apply(self, s, a): return (*s, a)
    ...     def utility(self, s): return (1, -1) if s[0] == s[1] else (-1, 1)
    ...     def info(self, s, player): return ()
    >>> best_response(Pennies(), {(): {"heads": Fraction(2, 3), "tails": Fraction(1, 3)}}, player=1)
    Response(value=Fraction(1, 3), policy={(): 'tails'})
    """
    with Options(threads=threads, memory=memory, progress=progress) as options:
        walked = _Walked(game, options)
        expanded = walked.expanded
        if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < game.players:
            raise ValueError(f"player: got {player!r}; accepted: 0 to {game.players - 1}")
        if not isinstance(policy, (OwnSolution, Mapping)) and not callable(policy):
            raise ValueError(f"policy: got {policy!r}; accepted: a mapping, a function or a solution")

        def plays(seat: int, known: Any) -> Any:
            if isinstance(policy, OwnSolution):
                return policy.policy(known, seat) if game.hidden else policy.policy(known)
            if isinstance(policy, Mapping):
                return policy[(seat, known)] if (seat, known) in policy else policy.get(known)
            return policy(known)

        shares: list[list[Fraction]] = []
        if game.hidden:
            edges: dict[int, list[Any]] = {}
            for number in range(len(expanded)):
                if expanded.turn(number) >= 0:
                    at = expanded.detail(number)
                    if at not in edges:
                        edges[at] = [expanded.actions[a] for a, _, _ in expanded.edges_of(number)]
            for at, (seat, info) in enumerate(expanded.infos):
                shares.append([] if seat == player else _shares(plays(seat, info), edges[at], repr(info)))
        else:
            for number, state in enumerate(expanded.states):
                seat = expanded.turn(number)
                if seat < 0 or seat == player:
                    shares.append([])
                    continue
                actions = [expanded.actions[a] for a, _, _ in expanded.edges_of(number)]
                shares.append(_shares(plays(seat, state), actions, repr(state)))
        value, chosen = _native.respond(expanded, walked.prices.whole, player, shares, options)
        does: dict[Any, Any] = {}
        for number in range(len(expanded)):
            if expanded.turn(number) != player:
                continue
            at = expanded.detail(number) if game.hidden else number
            known = expanded.infos[at][1] if game.hidden else expanded.states[number]
            edge = chosen[at]
            if edge is not None:
                does[known] = expanded.actions[expanded.edges_of(number)[edge][0]]
        return Response(walked.prices.value(value), does)


def serve(
    game: Game,
    *,
    port: int = 8066,
    open: bool = False,
    ready: Callable[[str], None] | None = None,
    threads: int | None = None,
    memory: int | None = None,
) -> None:
    """Your game on the page, on this machine: the value of every move, play, hints. It goes on until it is interrupted.

    ``ready`` is called with the address; without it the address is printed.
    """
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
        raise ValueError(f"port: got {port!r}; accepted: a whole number from 0 to 65535")

    def listening(address: str, _: int) -> None:
        place = f"{address}board?game={ident}"
        if ready:
            ready(place)
        else:
            print(place, flush=True)
        if open:
            import webbrowser

            webbrowser.open(place)

    with Options(threads=threads, memory=memory, progress=False) as options:
        walked = _Walked(game, options)
        expanded = walked.expanded
        ident = "".join(c for c in called(game).lower() if c.isascii() and c.isalnum()) or "game"
        if ident in {g.name for g in _registered()}:
            ident += "-own"
        texts = written(game, "text")
        drawn = [game.text(s) if texts else repr(s) for s in expanded.states]
        names: dict[str, None] = {}
        for text in (" ".join(text.split()) for text in drawn):
            name, again = text or "–", 2
            while name in names:
                name, again = f"{text} ({again})", again + 1
            names[name] = None
        described = {
            "id": ident,
            "name": called(game),
            "rules": (type(game).__doc__ or "").strip(),
            "states": list(names),
            "drawn": drawn,
            "actions": [walked.label(action) for action in expanded.actions],
            "infos": [str(info) for _, info in expanded.infos],
        }
        prices = walked.prices
        _native.serve(
            expanded, prices.whole, prices.scale, prices.opposed, described, port, listening, options
        )


def _registered() -> list[Any]:
    from yomikiri.registered import games

    return list(games())


__all__ = ["CHANCE", "END", "OwnSolution", "Policy", "Response", "best_response", "serve", "solve"]
