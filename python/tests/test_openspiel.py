"""OpenSpiel's games solved here, and ours solved there."""

from __future__ import annotations

from fractions import Fraction

import pytest
import yomikiri as yk
from games import Kuhn, Rolls

pyspiel = pytest.importorskip("pyspiel")

#: Games with hidden information or simultaneous moves: our strategies are measured by OpenSpiel.
HIDDEN = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice(numdice=1,dice_sides=3)",
    "liars_dice(numdice=1,dice_sides=4)",
    "goofspiel(num_cards=3,imp_info=True)",
    "goofspiel(num_cards=4,imp_info=True,points_order=descending)",
    "dark_hex(num_cols=2,num_rows=2)",
    "dark_hex(num_cols=2,num_rows=2,gameversion=adh)",
    "battleship(board_width=2,board_height=1,ship_sizes=[1],ship_values=[1],num_shots=2)",
    "matrix_rps",
    "matrix_mp",
    "matrix_brps",
    "matrix_rpsw",
    "matrix_pd",
    "matrix_bos",
    "matrix_cd",
    "matrix_sh",
    "matrix_coordination",
    "matrix_shapleys_game",
    "matching_pennies_3p",
    "blotto",
    "coordinated_mp",
    "tiny_hanabi",
    "trade_comm(num_items=2)",
    "first_sealed_auction(players=2,max_value=3)",
]
#: Games in which everybody sees everything: OpenSpiel's own search.
OPEN = [
    "tic_tac_toe",
    "nim(pile_sizes=2;3;4)",
    "catch(rows=4,columns=3)",
    "hex(board_size=2)",
    "y(board_size=3)",
    "havannah(board_size=2)",
    "clobber(rows=3,columns=3)",
    "dots_and_boxes(num_rows=2,num_cols=1)",
    "connect_four(rows=3,columns=3,x_in_row=3)",
    "misere(game=nim(pile_sizes=1;2;3))",
]
#: Their text does not tell everything: they are walked through as trees.
UNTOLD = ["pig(winscore=6,diceoutcomes=3,horizon=8)"]


def loaded(name):
    try:
        return pyspiel.load_game(name)
    except Exception as error:  # Another release may call it otherwise.
        pytest.skip(f"{name} is not in this OpenSpiel: {error}")


def their_policy(game, solution):
    """Our strategies as one of OpenSpiel's policies, of a game in which moves are made one after another."""
    from open_spiel.python import policy

    table = policy.TabularPolicy(game)
    for seat, info in solution.infos:
        shares = solution.policy(info, seat)
        row = table.policy_for_key(info)
        row[:] = 0
        for action, share in shares.items():
            row[action] = float(share)
    return table


@pytest.mark.parametrize("name", HIDDEN)
def test_law_our_strategies_are_worth_in_openspiel_what_we_say(name, comparisons):
    from open_spiel.python.algorithms import expected_game_score, exploitability

    loaded_game = loaded(name)
    solution = yk.solve(yk.from_openspiel(loaded_game))
    at_once = "SIMULTANEOUS" in str(loaded_game.get_type().dynamics)
    theirs = pyspiel.convert_to_turn_based(loaded_game) if at_once else loaded_game
    in_turn = yk.solve(yk.from_openspiel(theirs)) if at_once else solution
    assert in_turn.value == solution.value
    policy = their_policy(theirs, in_turn)
    values = expected_game_score.policy_value(theirs.new_initial_state(), [policy] * theirs.num_players())
    assert [float(v) for v in in_turn.values] == pytest.approx(list(values), abs=1e-9)
    gains = [float(g) for g in in_turn.gains or [Fraction(0)] * theirs.num_players()]
    conv = exploitability.nash_conv(theirs, policy)
    assert conv == pytest.approx(sum(gains), abs=1e-8)
    comparisons.append(("OpenSpiel", name, str(solution.value), f"{values[0]:.12g}, NashConv {conv:.2g}"))


def search(state):
    """The value for player 0 by plain search, on their states."""
    if state.is_terminal():
        return state.player_return(0)
    if state.is_chance_node():
        return sum(p * search(state.child(a)) for a, p in state.chance_outcomes())
    best = max if state.current_player() == 0 else min
    return best(search(state.child(a)) for a in state.legal_actions())


@pytest.mark.parametrize("name", [*OPEN, *UNTOLD])
def test_law_open_games_are_worth_what_openspiel_finds(name, comparisons):
    game = loaded(name)
    merged = yk.solve(yk.from_openspiel(game, merge=name in OPEN))
    if name in ("tic_tac_toe", "clobber(rows=3,columns=3)", "connect_four(rows=3,columns=3,x_in_row=3)", "havannah(board_size=2)"):
        from open_spiel.python.algorithms import minimax

        value, _ = minimax.alpha_beta_search(game)
    else:
        value = search(game.new_initial_state())
        assert yk.solve(yk.from_openspiel(game)).value == merged.value
    assert float(merged.value) == pytest.approx(value, abs=1e-9)
    comparisons.append(("OpenSpiel", name, str(merged.value), f"{value:.12g}"))


@pytest.mark.parametrize(
    "game, value",
    [
        (Kuhn(), Fraction(-1, 18)),
        (yk.game("kuhn", cards=4), Fraction(-1, 24)),
        (yk.game("goofspiel", cards=3), Fraction(0)),
    ],
    ids=["own", "kuhn", "goofspiel"],
)
def test_law_openspiels_algorithms_run_on_our_games(game, value):
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    theirs = yk.to_openspiel(game)
    solver = cfr.CFRPlusSolver(theirs)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    found = expected_game_score.policy_value(theirs.new_initial_state(), [average] * 2)[0]
    conv = exploitability.nash_conv(theirs, average)
    assert conv < 0.05
    assert abs(found - float(value)) <= conv + 1e-9


def test_law_open_games_and_chance_go_there_too():
    theirs = yk.to_openspiel(Rolls(3))
    assert search(theirs.new_initial_state()) == pytest.approx(float(yk.solve(Rolls(3)).value))
    state = theirs.new_initial_state()
    assert state.is_chance_node() and state.clone().chance_outcomes() == state.chance_outcomes()


def test_law_games_that_do_not_say_what_is_known_are_refused():
    with pytest.raises(Exception, match="(?i)information"):
        yk.solve(yk.from_openspiel(loaded("coop_box_pushing")))
    with pytest.raises(ValueError, match="mean field"):
        yk.from_openspiel(loaded("mfg_crowd_modelling"))
    with pytest.raises(ValueError, match="merge: kuhn_poker hides something"):
        yk.from_openspiel(loaded("kuhn_poker"), merge=True)
