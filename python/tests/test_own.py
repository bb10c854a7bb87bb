"""Games written in Python against theorems, references and slow twins."""

from __future__ import annotations

import functools
import operator
from fractions import Fraction

import pytest
import yomikiri as yk
from games import (
    Circle,
    Kuhn,
    Nim,
    Random,
    Rolls,
    TicTacToe,
    informations,
    payoff,
    plain_response,
    plain_value,
    pure_strategies,
)


@pytest.mark.parametrize("heaps", [(1,), (2, 2), (1, 2, 3), (3, 4, 5), (1, 4, 5), (2, 3, 7)])
def test_law_nim_is_won_where_the_nim_sum_is_not_zero(heaps):
    solution = yk.solve(Nim(*heaps))
    for s in solution.states:
        if any(s[1]):
            won = functools.reduce(operator.xor, s[1]) != 0
            assert solution.value_of(s, s[0]) == (1 if won else -1), s
            assert all((m.value == (1 if won else -1)) == m.best for m in solution.moves(s))


def test_golden_tic_tac_toe_is_drawn_and_has_5478_positions():
    solution = yk.solve(TicTacToe())
    assert (solution.value, solution.positions, solution.method) == (0, 5478, "induction")
    assert solution.certainty == "exact" and solution.bounds == (0, 0)
    # X in a corner: only the centre holds.
    assert [m.action for m in solution.moves("x........") if m.best] == [4]


@pytest.mark.parametrize("seed", range(60))
def test_law_open_games_are_worth_what_plain_recursion_says(seed):
    players = seed % 3 + 1
    game = Random(seed, players, 5, hidden=False, zero_sum=players == 2 and seed % 2 == 0)
    solution = yk.solve(game)
    assert tuple(solution.values) == plain_value(game)
    assert all(type(value) is Fraction for value in solution.values)
    for s in solution.states[:40]:
        turn = game.turn(s)
        if turn >= 0:
            for move in solution.moves(s):
                assert move.value == solution.value_of(game.apply(s, move.action), turn)


def test_law_rolls_are_exact():
    assert yk.solve(Rolls(6)).value == plain_value(Rolls(6))[0]


@pytest.mark.parametrize("fields", range(3, 12))
def test_law_cycles_are_solved_by_retrograde_analysis(fields):
    game = Circle(fields)
    solution = yk.solve(game)
    assert solution.method == "retrograde"
    # Every value follows from those after it, and a win is nearer than what it is won by.
    for s in solution.states:
        if game.turn(s) == yk.END:
            continue
        mine = solution.value_of(s, s[0])
        after = {a: solution.value_of(game.apply(s, a), s[0]) for a in game.actions(s)}
        assert mine == max(after.values())
        if mine == 1:
            assert any(v == 1 and solution.distance(game.apply(s, a)) == solution.distance(s) - 1 for a, v in after.items())


class Pig(yk.Game):
    """Roll or hold to a target, with a die of three sides of which 1 loses the turn; chance and cycles."""

    def __init__(self, target):
        self.target = target

    def start(self):
        return (0, (0, 0), 0, False)

    def turn(self, s):
        player, score, kitty, rolling = s
        return yk.END if max(score) >= self.target else yk.CHANCE if rolling else player

    def actions(self, s):
        return ["roll", "hold"] if s[2] else ["roll"]

    def chance(self, s):
        return [(side, 1) for side in (1, 2, 3)]

    def apply(self, s, a):
        player, score, kitty, _ = s
        if a == "roll":
            return (player, score, kitty, True)
        if a == "hold" or (a != 1 and score[player] + kitty + a >= self.target):
            gained = kitty if a == "hold" else kitty + a
            score = tuple(x + gained * (p == player) for p, x in enumerate(score))
            return (1 - player, score, 0, False)
        return (1 - player, score, 0, False) if a == 1 else (player, score, kitty + a, False)

    def utility(self, s):
        return (1, -1) if s[1][0] >= self.target else (-1, 1)


def test_law_chance_and_cycles_come_to_a_fraction_that_satisfies_its_equations():
    game = Pig(6)
    solution = yk.solve(game)
    assert solution.method == "stochastic" and solution.certainty == "exact"
    for s in solution.states:
        turn, mine = game.turn(s), solution.value_of(s)
        if turn == yk.CHANCE:
            assert mine == sum(solution.value_of(game.apply(s, a)) for a, _ in game.chance(s)) / 3
        elif turn >= 0:
            best = max if turn == 0 else min
            assert mine == best(solution.value_of(game.apply(s, a)) for a in game.actions(s))


@pytest.mark.parametrize("cards, value", [(3, Fraction(-1, 18)), (4, Fraction(-1, 24)), (5, Fraction(-1, 15))])
def test_golden_kuhn_poker(cards, value):
    solution = yk.solve(Kuhn(cards))
    assert solution.value == value == yk.game("kuhn", cards=cards).solve().value
    assert solution.method == "sequence"


@pytest.mark.parametrize("seed", range(30))
def test_law_strategies_of_hidden_games_are_an_equilibrium_by_trying_all_pure_ones(seed):
    game = Random(1000 + seed, 2, 4, hidden=True, zero_sum=True)
    solution = yk.solve(game)
    def shares(seat, known):
        return solution.policy(known, seat)
    for (seat, known), actions in informations(game).items():
        policy = shares(seat, known)
        assert set(policy) == set(actions) and sum(policy.values()) == 1
    assert payoff(game, shares, 0) == solution.value
    for player, value in enumerate((solution.value, -solution.value)):
        if pure_strategies(game, player) <= 500:
            assert plain_response(game, shares, player) == value


@pytest.mark.parametrize("seed", range(12))
def test_law_what_is_said_of_games_without_one_value_is_what_trying_all_pure_strategies_shows(seed):
    game = Random(2000 + seed, 3 if seed % 2 else 2, 4, hidden=True, zero_sum=False)
    solution = yk.solve(game)
    gains = solution.gains or [Fraction(0)] * game.players
    def shares(seat, known):
        return solution.policy(known, seat)
    for player in range(game.players):
        assert payoff(game, shares, player) == solution.values[player]
        if pure_strategies(game, player) > 500:
            continue
        assert plain_response(game, shares, player) - solution.values[player] == gains[player]


@pytest.mark.parametrize("seed", range(40))
def test_law_a_best_response_is_the_best_of_all_pure_strategies(seed):
    game = Random(3000 + seed, 2 + seed % 2, 4, hidden=seed % 4 < 2, zero_sum=seed % 3 == 0)
    policy = {
        key: {a: Fraction(2 * i + 1, len(actions) ** 2) for i, a in enumerate(actions)}
        for key, actions in informations(game).items()
    }
    for player in range(game.players):
        if pure_strategies(game, player) > 500:
            continue
        found = yk.best_response(game, policy, player)
        assert found.value == plain_response(game, lambda seat, known: policy[(seat, known)], player)
        def pure(seat, known):
            return {found.policy[known]: Fraction(1)} if seat == player else policy[(seat, known)]
        assert payoff(game, pure, player) == found.value


def test_law_a_bot_may_be_a_function_an_action_or_doubles():
    game = Kuhn()
    by_mapping = yk.best_response(game, {i: {"c": 0.5, "b": 0.5} if "b" not in i[1] else {"f": 1.0} for _, i in yk.solve(game).infos}, 1)
    def bot(info):
        return "f" if "b" in info[1] else {"c": Fraction(1, 2), "b": Fraction(1, 2)}
    assert by_mapping == yk.best_response(game, bot, 1)
    solved = yk.solve(game)
    assert yk.best_response(game, solved, 1).value == Fraction(1, 18)
    assert yk.best_response(game, solved, 0).value == Fraction(-1, 18)
    # Against somebody who plays tic-tac-toe from the first square on.
    assert yk.best_response(TicTacToe(), lambda s: s.index("."), 0).value == 1


class Constant(Nim):
    """The winner gets 3, the loser 1/2."""

    def utility(self, s):
        return tuple(3 if x == 1 else Fraction(1, 2) for x in super().utility(s))


def test_law_payoffs_with_a_constant_sum_are_opposed():
    solution = yk.solve(Constant(1, 2, 3))
    assert solution.values == [Fraction(1, 2), 3]
    assert "not zero-sum" not in solution.how
    free = Constant(1, 2, 3)
    free.zero_sum = False
    assert yk.solve(free).values == [Fraction(1, 2), 3]


class Sorted(Nim):
    def key(self, s):
        return (s[0], tuple(sorted(s[1])))


def test_law_equal_keys_are_one_position():
    plain, keyed = yk.solve(Nim(3, 4, 5)), yk.solve(Sorted(3, 4, 5))
    assert keyed.positions < plain.positions
    assert all(keyed.value_of(s) == plain.value_of(s) for s in plain.states)
    assert [m.value for m in keyed.moves((0, (5, 3, 4)))] == [m.value for m in plain.moves((0, (3, 4, 5)))]


def test_law_methods_agree_and_others_are_refused():
    values = {m: yk.solve(Nim(2, 3), method=m).value for m in ("induction", "retrograde", "stochastic")}
    assert set(values.values()) == {1}
    with pytest.raises(ValueError, match="method: got guess; accepted: induction, retrograde, stochastic"):
        yk.solve(Nim(1), method="guess")
    with pytest.raises(ValueError, match="method: got induction; accepted: sequence, cfr"):
        yk.solve(Kuhn(), method="induction")


def test_law_the_same_for_any_number_of_threads():
    one, two = (yk.solve(Kuhn(5), threads=n, method="cfr") for n in (1, 2))
    assert one.bounds == two.bounds and one.policies() == two.policies()
