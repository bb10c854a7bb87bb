"""OpenSpiel's games here, and ours there."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import lcm
from typing import Any

from yomikiri.rules import CHANCE, END, Game, called

#: Denominators that probabilities of chance and payoffs may have; OpenSpiel has doubles.
_FINEST = 10**6


def _fraction(x: float, what: str) -> Fraction:
    """The fraction that a double stands for."""
    near = Fraction(x).limit_denominator(_FINEST)
    if abs(float(near) - x) > 1e-12 * max(1.0, abs(x)):
        raise ValueError(f"{what}: got {x!r}; accepted: a double near a fraction with a denominator up to {_FINEST}")
    return near


class SpielGame(Game):
    """A game of OpenSpiel. A state is what was done so far; moves made at once are made one after another, unseen."""

    def __init__(self, game: Any) -> None:
        kind = game.get_type()
        self.spiel = game
        self.name = kind.short_name
        self.players = game.num_players()
        self._simultaneous = "SIMULTANEOUS" in str(kind.dynamics)
        self._perfect = "PERFECT" in str(kind.information) and "IMPERFECT" not in str(kind.information) and not self._simultaneous
        self._kept: dict[Any, Any] = {}

    @property
    def hidden(self) -> bool:
        return not self._perfect

    def _state(self, s: Any) -> Any:
        """OpenSpiel's state of a line of actions, and those that are not yet made together."""
        kept = self._kept.get(s)
        if kept is None:
            state = self.spiel.new_initial_state()
            for a in s[0]:
                state.apply_actions(list(a)) if isinstance(a, tuple) else state.apply_action(a)
            kept = self._kept[s] = state
        return kept

    def start(self) -> Any:
        return ((), ())

    def turn(self, s: Any) -> int:
        state = self._state(s)
        if state.is_terminal():
            return END
        if state.is_chance_node():
            return CHANCE
        if state.is_simultaneous_node():
            return len(s[1])
        return int(state.current_player())

    def actions(self, s: Any) -> list[Any]:
        # Who has nothing to choose while others move at once does nothing.
        return list(self._state(s).legal_actions(self.turn(s))) or [0]

    def chance(self, s: Any) -> list[tuple[Any, int]]:
        outcomes = self._state(s).chance_outcomes()
        shares = [_fraction(p, f"{self.name}, chance of {a}") for a, p in outcomes]
        if sum(shares) != 1:
            raise ValueError(f"{self.name}: got probabilities {outcomes!r}; accepted: fractions that add up to 1")
        below = lcm(*(share.denominator for share in shares))
        return [(a, int(share * below)) for (a, _), share in zip(outcomes, shares) if share]

    def apply(self, s: Any, a: Any) -> Any:
        line, made = s
        state = self._state(s)
        if state.is_simultaneous_node():
            made = (*made, a)
            if len(made) < self.players:
                after = (line, made)
                self._kept[after] = state
                return after
            after = ((*line, made), ())
            if after not in self._kept:
                child = state.clone()
                child.apply_actions(list(made))
                self._kept[after] = child
            return after
        after = ((*line, a), ())
        if after not in self._kept:
            child = state.clone()
            child.apply_action(a)
            self._kept[after] = child
        return after

    def utility(self, s: Any) -> list[Fraction]:
        return [_fraction(x, f"{self.name}, payoff") for x in self._state(s).returns()]

    def info(self, s: Any, player: int) -> Any:
        return self._state(s).information_state_string(player)

    def text(self, s: Any) -> str:
        return str(self._state(s))


class _Open(SpielGame):
    """A game of OpenSpiel in which everybody sees everything and a state is told by its text: lines of play that come to
    the same text are one state."""

    def start(self) -> Any:
        state = self.spiel.new_initial_state()
        return self._named(state)

    def _named(self, state: Any) -> str:
        # Games that end after a set number of moves do not tell it in their text.
        name = f"{state.move_number()}|{state.current_player()}|{state}"
        self._kept.setdefault(name, state)
        return name

    def _state(self, s: Any) -> Any:
        return self._kept[s]

    def turn(self, s: Any) -> int:
        state = self._kept[s]
        if state.is_terminal():
            return END
        return CHANCE if state.is_chance_node() else int(state.current_player())

    def apply(self, s: Any, a: Any) -> Any:
        child = self._kept[s].clone()
        child.apply_action(a)
        return self._named(child)


def from_openspiel(game: Any, *, merge: bool | None = None) -> SpielGame:
    """A game of OpenSpiel, to be solved exactly. It is walked through by its lines of play, as a tree.

    With ``merge``, lines of the same length that lead to the same text are one state, which is right for games whose text
    tells everything; it is for games in which everybody sees everything.
    """
    if not hasattr(game, "new_initial_state") or not hasattr(game, "get_type"):
        raise ValueError(f"game: got {game!r}; accepted: what pyspiel.load_game gives")
    plain = SpielGame(game)
    if "MEAN_FIELD" in str(game.get_type().dynamics):
        raise ValueError(f"game: got {plain.name}, a mean field game; accepted: games of single players")
    if merge and plain.hidden:
        raise ValueError(f"merge: {plain.name} hides something; accepted: False")
    return _Open(game) if merge else plain


_count = itertools.count()


def to_openspiel(game: Game, *, longest: int = 1000) -> Any:
    """Your game, or one of ours, as a game of OpenSpiel, so that its algorithms run on it. ``longest`` is how many moves a
    game has at most.
    """
    import numpy as np
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    from yomikiri.own import _Walked
    from yomikiri.options import Options

    with Options(progress=False) as options:
        walked = _Walked(game, options)
    expanded, prices, hidden, players = walked.expanded, walked.prices, game.hidden, game.players
    rows = [[float(prices.value(Fraction(x))) for x in prices.whole[at : at + players]] for at in range(0, len(prices.whole), players)]
    fixed = prices.opposed and prices.shift == 0
    has_chance = any(expanded.turn(n) == CHANCE for n in range(len(expanded)))
    kind = pyspiel.GameType(
        short_name=f"yomikiri_{next(_count)}_{''.join(c if c.isalnum() else '_' for c in called(game))}",
        long_name=called(game),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION if hidden else pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if fixed else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    outcomes = max((len(expanded.edges_of(n)) for n in range(len(expanded)) if expanded.turn(n) == CHANCE), default=0)
    all_payoffs = [x for row in rows for x in row] or [0.0]
    facts = pyspiel.GameInfo(
        num_distinct_actions=max(len(expanded.actions), 1),
        max_chance_outcomes=max(outcomes, len(expanded.actions)) if outcomes else 0,
        num_players=players,
        min_utility=min(all_payoffs),
        max_utility=max(all_payoffs),
        utility_sum=0.0 if fixed else None,
        max_game_length=longest,
    )

    class Spiel(pyspiel.Game):  # type: ignore[misc,unused-ignore]
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, facts, params or {})

        def new_initial_state(self) -> Any:
            return State(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return Observer()

    class State(pyspiel.State):  # type: ignore[misc,unused-ignore]
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self._at = 0

        def current_player(self) -> int:
            turn = expanded.turn(self._at)
            if turn == END:
                return int(pyspiel.PlayerId.TERMINAL)
            return int(pyspiel.PlayerId.CHANCE) if turn == CHANCE else turn

        def _legal_actions(self, player: int) -> list[int]:
            return sorted(a for a, _, _ in expanded.edges_of(self._at))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            edges = expanded.edges_of(self._at)
            total = sum(weight for _, _, weight in edges)
            return [(a, weight / total) for a, _, weight in edges]

        def _apply_action(self, action: int) -> None:
            self._at = next(to for a, to, _ in expanded.edges_of(self._at) if a == action)

        def _action_to_string(self, player: int, action: int) -> str:
            return walked.label(expanded.actions[action])

        def is_terminal(self) -> bool:
            return expanded.turn(self._at) == END

        def returns(self) -> list[float]:
            return rows[expanded.detail(self._at)] if self.is_terminal() else [0.0] * players

        def information_state_string(self, player: int | None = None) -> str:
            if hidden and expanded.turn(self._at) >= 0:
                return repr(expanded.infos[expanded.detail(self._at)])
            return str(self)

        observation_string = information_state_string

        def __str__(self) -> str:
            return game.text(expanded.states[self._at])

    class Observer:
        def __init__(self) -> None:
            self.tensor = np.zeros(0, np.float32)
            self.dict: dict[str, Any] = {}

        def set_from(self, state: Any, player: int) -> None:
            pass

        def string_from(self, state: Any, player: int) -> str:
            return str(state.information_state_string(player))

    pyspiel.register_game(kind, Spiel)
    return Spiel()
