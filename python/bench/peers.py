"""The same games by the solvers of others, in the same run: what was asked, both times, the ratio.

cargo xtask bench peers [leduc] [lp] [open] [gambit]

Every line is processor time of one thread, of one try each, and every answer is compared before a time is printed. Theirs
are asked for doubles where they have nothing else.
"""

from __future__ import annotations

import functools
import os
import sys
import tempfile
import time
from fractions import Fraction
from typing import Any, Callable

# Before numpy is there: it would start a thread a core.
for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[library] = "1"

import pygambit
import pyspiel

import yomikiri as yk

sys.setrecursionlimit(100_000)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The processor seconds it takes, and what came out."""
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


def seconds(x: float) -> str:
    return f"{x:.2f} s" if x >= 1 else f"{x * 1e3:.1f} ms" if x >= 0.001 else f"{x * 1e6:.0f} µs"


def row(asked: str, peer: str, theirs: float, ours: float, found: str) -> None:
    print(f"| {asked} | {peer} | {seconds(theirs)} | {seconds(ours)} | {theirs / ours:,.0f} | {found} |", flush=True)


def close(theirs: float, ours: Fraction | float, within: float, asked: str) -> None:
    if abs(theirs - float(ours)) > within:
        raise SystemExit(f"{asked}: they say {theirs}, we {ours}")


@functools.cache
def own(name: str, **settings: Any) -> tuple[float, Any]:
    """A game of ours solved, once: from the second time on what was kept would answer."""
    return timed(lambda: yk.game(name, **settings).solve(threads=1))


def leduc() -> None:
    """Rounds of CFR+ until strategies are as good as asked, and the same exactly."""
    from open_spiel.python.algorithms import exploitability

    game = pyspiel.load_game("leduc_poker")
    solver = pyspiel.CFRPlusSolver(game)

    def rounds() -> None:
        for _ in range(100):
            solver.evaluate_and_update_policy()

    theirs, _ = timed(rounds)
    # What a player can gain on average.
    left = exploitability.nash_conv(game, solver.tabular_average_policy()) / 2
    ours, solution = own("leduc")
    close(-0.085606424078, solution.value, 1e-9, "Leduc")
    row("Leduc hold'em", "OpenSpiel, `CFRPlusSolver` (C++), 100 rounds", theirs, ours, f"theirs leaves {left:.4f} to gain; ours is exact, with both strategies")


def lp() -> None:
    """Two opposed players with hidden cards as a linear program."""
    from open_spiel.python.algorithms import sequence_form_lp

    for ours_name, name in (("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")):
        game = pyspiel.load_game(name)
        theirs, found = timed(lambda game=game: sequence_form_lp.solve_zero_sum_game(game))
        ours, solution = timed(lambda game=game: yk.solve(yk.from_openspiel(game)))
        close(found[0], solution.value, 1e-5, name)
        row(f"OpenSpiel's {name}, walked through in Python", "OpenSpiel, `sequence_form_lp`", theirs, ours, f"{found[0]:.9f} and {solution.value}"[:90])
        ours, solution = own(ours_name)
        row(f"{ours_name}, our rules", "the same", theirs, ours, "exact")


def open_games() -> None:
    """Games with everything seen, by value iteration over all states."""
    from open_spiel.python.algorithms import value_iteration

    for ours_name, settings, name in (("tictactoe", {}, "tic_tac_toe"), ("nim", {"heaps": "3,4,5"}, "nim(pile_sizes=3;4;5)")):
        game = pyspiel.load_game(name)
        theirs, values = timed(lambda game=game: value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-9))
        ours, solution = own(ours_name, **settings)
        close(values[str(game.new_initial_state())], solution.value, 1e-9, name)
        row(f"{ours_name}, all {len(values):,} states", "OpenSpiel, `value_iteration`", theirs, ours, str(solution.value))


def gambit() -> None:
    """Linear programs in fractions."""
    for name, settings in (("kuhn", {}), ("kuhn", {"cards": 5}), ("kuhn", {"cards": 8})):
        game = yk.game(name, **settings)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "game.efg")
            yk.write_efg(game, path)
            theirs_game = pygambit.read_efg(path)
        theirs, found = timed(lambda g=theirs_game: pygambit.nash.lp_solve(g, rational=True))
        payoffs = found.equilibrium.payoffs
        value = Fraction(str(payoffs[next(iter(theirs_game.players))]))
        ours, solution = own(name, **settings)
        if value != solution.value:
            raise SystemExit(f"{name}: they say {value}, we {solution.value}")
        row(f"kuhn, {settings.get('cards', 3)} cards, in fractions", "Gambit, `lp_solve`", theirs, ours, str(value))


if __name__ == "__main__":
    all_ = {"leduc": leduc, "lp": lp, "open": open_games, "gambit": gambit}
    unknown = [word for word in sys.argv[1:] if word not in all_]
    if unknown:
        raise SystemExit(f"{unknown[0]}: accepted: {', '.join(all_)}")
    print("| what was asked | of whom | theirs | ours | times | found |\n|---|---|---|---|---|---|")
    for word in sys.argv[1:] or all_:
        all_[word]()
