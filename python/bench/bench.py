"""How fast the package is, as ratios against something in the same run where there is something.

python bench.py [expansion] [eval] [cfr] [exact]
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from typing import Any

import yomikiri as yk

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tests"))

from games import Nim, TicTacToe  # noqa: E402


class Counters(yk.Game):
    """Two counters, each raised by one in turn up to a limit; who raises the last loses."""

    def __init__(self, most: int) -> None:
        self.most = most

    def start(self) -> Any:
        return (0, 0, 0)

    def turn(self, s: Any) -> int:
        return yk.END if s[1] == self.most and s[2] == self.most else s[0]

    def actions(self, s: Any) -> Any:
        return [i for i in (1, 2) if s[i] < self.most]

    def apply(self, s: Any, a: Any) -> Any:
        return (1 - s[0], s[1] + 1, s[2]) if a == 1 else (1 - s[0], s[1], s[2] + 1)

    def utility(self, s: Any) -> Any:
        return (1, -1) if s[0] == 0 else (-1, 1)


class Squares(yk.Game):
    """Tic-tac-toe with the squares of both players as bits, and tables instead of loops."""

    won = [any(mask & line == line for line in (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)) for mask in range(512)]
    free = [[i for i in range(9) if not mask >> i & 1] for mask in range(512)]

    def start(self) -> Any:
        return (0, 0)

    def turn(self, s: Any) -> int:
        x, o = s
        if self.won[x] or self.won[o] or x | o == 511:
            return yk.END
        return len(self.free[x | o]) % 2 ^ 1

    def actions(self, s: Any) -> Any:
        return self.free[s[0] | s[1]]

    def apply(self, s: Any, a: Any) -> Any:
        x, o = s
        return (x | 1 << a, o) if len(self.free[x | o]) % 2 else (x, o | 1 << a)

    def utility(self, s: Any) -> Any:
        return (1, -1) if self.won[s[0]] else (-1, 1) if self.won[s[1]] else (0, 0)


def best(times: int, work: Any) -> float:
    """The least seconds of some tries."""
    least = float("inf")
    for _ in range(times):
        begun = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - begun)
    return least


def expansion() -> None:
    """States a second, and the share of the time that the rules themselves take."""
    for name, game in (("tic-tac-toe, strings", TicTacToe()), ("tic-tac-toe, tuples", Squares()), ("two counters", Counters(1000)), ("Nim 7,7,7,7", Nim(7, 7, 7, 7))):
        solution = yk.solve(game)
        seconds = min(yk.solve(game).seconds for _ in range(5))

        def rules(game: Any = game, states: Any = solution.states) -> None:
            # The same calls of the rules on the same states, and nothing else.
            turn, actions, apply, utility = game.turn, game.actions, game.apply, game.utility
            for s in states:
                if turn(s) == yk.END:
                    utility(s)
                else:
                    for a in actions(s):
                        apply(s, a)

        own = best(5, rules)
        states = len(solution.states)
        print(
            f"expansion, {name}: {states:,} states, {solution._walked.expanded.edges:,} edges, {seconds:.2f} s, "
            f"{states / seconds:,.0f} states/s, rules alone {own / seconds:.0%}"
        )
    print(f"largest resident set: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")


def evaluation() -> None:
    """100,000 positions of Memory from Python and by the command line."""
    program = os.environ.get("YOMIKIRI_PROGRAM")
    if not program:
        print("eval: YOMIKIRI_PROGRAM names no program to compare with")
        return
    counts = [[a, b, c, d, 0, e, f, 0, 13 - a - b - c - d - e - f] for a in range(9) for b in range(9) for c in range(9) for d in range(9) for e in range(9) for f in range(9) if a + b + c + d + e + f <= 13]
    requests = [{"counts": row} for row in counts]
    requests = (requests * (100_000 // len(requests) + 1))[:100_000]
    game = yk.game("memory", ranks=13)
    lines = "\n".join(json.dumps(r) for r in requests) + "\n"

    def by_command() -> None:
        # Positions that cannot be are answered with why, and the program says so by its status.
        subprocess.run([program, "eval", "memory"], input=lines.encode(), capture_output=True, check=False)

    game.eval(requests[:1])
    here, there = best(3, lambda: game.eval(requests)), best(3, by_command)
    print(f"eval of {len(requests):,} positions: Python {here:.2f} s, command line {there:.2f} s, ratio {here / there:.2f}")


def cfr() -> None:
    """Rounds of CFR+ on Leduc poker against OpenSpiel's solver in C++."""
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    game = pyspiel.load_game("leduc_poker")
    solver = pyspiel.CFRPlusSolver(game)
    theirs = best(2, lambda: [solver.evaluate_and_update_policy() for _ in range(20)]) / 20
    # The first time: what was solved is kept. It is the whole solve, with its strategies measured in fractions.
    begun = time.perf_counter()
    how = yk.game("leduc").solve(method="cfr", threads=1).how or ""
    seconds = time.perf_counter() - begun
    rounds = int(re.search(r"([\d,]+) rounds", how)[1].replace(",", ""))  # type: ignore[index]
    ours = seconds / rounds
    print(
        f"CFR+ on Leduc, one thread: OpenSpiel's C++ {theirs * 1e3:.2f} ms a round, here {ours * 1e3:.3f} ms "
        f"({seconds:.1f} s for {rounds:,} rounds and the fractions), ratio {theirs / ours:.0f}"
    )


def exact() -> None:
    """The exact value of OpenSpiel's Leduc poker."""
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    game = pyspiel.load_game("leduc_poker")
    begun = time.perf_counter()
    solution = yk.solve(yk.from_openspiel(game))
    print(f"Leduc of OpenSpiel: {solution.value} in {time.perf_counter() - begun:.2f} s")


if __name__ == "__main__":
    all_ = {"expansion": expansion, "eval": evaluation, "cfr": cfr, "exact": exact}
    for word in sys.argv[1:] or all_:
        all_[word]()
