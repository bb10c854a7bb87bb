"""Mistakes in games and calls, each told by what is wrong with it."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest
import yomikiri as yk
from games import Kuhn, Nim


def broken(**methods):
    """Nim with a mistake."""
    return type("Broken", (Nim,), methods)(1, 2)


MISTAKES = [
    ({"turn": lambda self, s: None}, r"Broken.turn\(\(0, \(1, 2\)\)\) returned None; accepted: a player's number from 0 on"),
    ({"turn": lambda self, s: 2}, r"Broken.turn\(\(0, \(1, 2\)\)\) returned 2; accepted: a player"),
    ({"actions": lambda self, s: []}, r"Broken.actions\(\(0, \(1, 2\)\)\) returned \[\]; accepted: at least one"),
    ({"actions": lambda self, s: 3}, r"Broken.actions\(\(0, \(1, 2\)\)\) returned 3; accepted: a list of actions"),
    ({"actions": lambda self, s: [(0, 1), (0, 1)]}, r"Broken.actions.* accepted: every action once"),
    ({"actions": lambda self, s: [[0, 1]]}, r"Broken.actions.* accepted: hashable actions"),
    ({"apply": lambda self, s, a: [s]}, r"Broken.apply\(\(0, \(1, 2\)\), \(0, 1\)\) returned \[.*accepted: a hashable state"),
    ({"start": lambda self: {}}, r"Broken.start\(\) returned \{\}; accepted: a hashable state"),
    ({"utility": lambda self, s: 1}, r"Broken.utility.* returned 1; accepted: 2 payoffs, one a player: int or Fraction"),
    ({"utility": lambda self, s: (1, 2, 3)}, r"Broken.utility.* accepted: 2 payoffs"),
    ({"utility": lambda self, s: (0.5, -0.5)}, r"Broken.utility returned \(0.5, -0.5\); accepted: int or Fraction, because float is not exact"),
    ({"utility": lambda self, s: (1 << 40, -(1 << 40))}, r"Broken.utility returned payoffs up to 1099511627776 .*below 2\*\*31"),
    ({"zero_sum": True, "utility": lambda self, s: (1, 1)}, r"Broken.utility\(.*does not add up to 0"),
    ({"turn": lambda self, s: yk.CHANCE, "chance": lambda self, s: []}, r"Broken.chance.* returned \[\]; accepted: at least one"),
    ({"turn": lambda self, s: yk.CHANCE, "chance": lambda self, s: [(1, 0)]}, r"Broken.chance.*a whole number from 1"),
    ({"turn": lambda self, s: yk.CHANCE, "chance": lambda self, s: [(1, 0.5)]}, r"Broken.chance.*a whole number from 1"),
    ({"players": 9}, r"Broken.players is 9; accepted: a whole number from 1 to 8"),
    ({"players": 0}, r"Broken.players is 0"),
    ({"players": 1}, r"Broken.turn\(.*\) returned 1; accepted"),
    ({"key": lambda self, s: [s]}, r"Broken.key\(.*\) returned \[.*accepted: something hashable"),
    ({"info": lambda self, s, p: [s]}, r"Broken.info\(.*\) returned \[.*accepted: something hashable"),
    ({"info": lambda self, s, p: 0}, r"a player has other actions here than in another state in which it knows the same; the state is \(1, \(1, 1\)\)"),
]


@pytest.mark.parametrize("methods, said", MISTAKES)
def test_law_a_mistake_is_told_by_the_method_what_it_returned_and_the_state(methods, said):
    with pytest.raises(ValueError, match=said):
        yk.solve(broken(**methods))


def test_law_an_exception_of_the_rules_is_raised_with_the_call():
    def apply(self, s, a):
        return {}[s]

    with pytest.raises(KeyError) as caught:
        yk.solve(broken(apply=apply))
    if sys.version_info >= (3, 11):
        assert caught.value.__notes__ == ["in Broken.apply((0, (1, 2)), (0, 1))"]


def test_law_methods_that_are_not_written_are_named():
    with pytest.raises(NotImplementedError, match="Empty.start is not written"):
        yk.solve(type("Empty", (yk.Game,), {})())


class Endless(yk.Game):
    players = 1

    def start(self):
        return 0

    def turn(self, s):
        return 0

    def actions(self, s):
        return ["on"]

    def apply(self, s, a):
        return s + 1

    def utility(self, s):
        return (0,)


def test_law_too_many_states_are_a_memory_error_that_says_how_far_it_came():
    with pytest.raises(MemoryError, match="more than [0-9]+ states"):
        yk.solve(Endless(), memory=20 << 20)


def test_law_hidden_games_with_cycles_are_refused():
    class Round(Kuhn):
        def apply(self, s, a):
            after = super().apply(s, a)
            return self.start() if after[1] == "cc" else after

    with pytest.raises(ValueError, match="no solver here is exact for hidden information with cycles"):
        yk.solve(Round())


CALLS = [
    (lambda: yk.game("chess"), "game: got 'chess'; accepted: memory"),
    (lambda: yk.game("memory", ranks="many"), 'ranks: got "many"; accepted: a whole number'),
    (lambda: yk.game("memory", colour=1), "colour: got an unknown parameter; accepted: "),
    (lambda: yk.game("memory").show("99,99"), "accepted"),
    (lambda: yk.game("nim").solve(method="magic"), "method: got magic; accepted: induction"),
    (lambda: yk.game("nim").solve(threads=0), "threads: got 0; accepted: a whole number from 1 on"),
    (lambda: yk.game("nim").solve(memory="4G"), "memory: got '4G'"),
    (lambda: yk.game("nim").solve(progress=3), "progress: got 3"),
    (lambda: yk.game("nim").play(seed=-1), "seed: got -1"),
    (lambda: yk.game("nim").play().apply("Z9"), "accepted"),
    (lambda: yk.game("nim").eval([3]), "requests: got 3; accepted: mappings"),
    (lambda: yk.solve(3), "game: got 3; accepted: an object of a class derived from yomikiri.Game"),
    (lambda: yk.solve(Nim(1)).value_of("x"), r"state: got 'x'; accepted: a state that can be reached from"),
    (lambda: yk.solve(Nim(1)).value_of((0, (1,)), 2), "player: got 2; accepted: 0 to 1"),
    (lambda: yk.solve(Kuhn()).policy("x"), "info: got 'x'; accepted: what a player may know"),
    (lambda: yk.solve(Kuhn()).value_of(Kuhn().start()), "this game hides something"),
    (lambda: yk.best_response(Kuhn(), {}, 1), "policy: got nothing for"),
    (lambda: yk.best_response(Kuhn(), lambda i: {"c": 2}, 1), "add up to 1"),
    (lambda: yk.best_response(Kuhn(), lambda i: {"x": 1}, 1), "policy: got 'x' for"),
    (lambda: yk.best_response(Kuhn(), lambda i: "x", 1), "policy: got 'x' for"),
    (lambda: yk.best_response(Kuhn(), 3, 1), "policy: got 3; accepted: a mapping, a function or a solution"),
    (lambda: yk.best_response(Kuhn(), {}, 2), "player: got 2; accepted: 0 to 1"),
    (lambda: yk.reproduce("memory", only="table-99"), 'only: got "table-99"; accepted: '),
    (lambda: yk.serve(Nim(1), port=70000), "port: got 70000"),
    (lambda: yk.from_openspiel(3), "game: got 3; accepted: what pyspiel.load_game gives"),
]


@pytest.mark.parametrize("call, said", CALLS, ids=range(len(CALLS)))
def test_law_what_is_not_accepted_is_named_with_what_is(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_law_names_that_do_not_exist_are_key_errors():
    with pytest.raises(KeyError, match="accepted: "):
        yk.study("memory", "nothing")
    with pytest.raises(KeyError, match="accepted: memory"):
        yk.reproduce("chess")


def test_law_files_that_are_not_there_are_os_errors(tmp_path):
    with pytest.raises(OSError):
        yk.check(tmp_path / "nothing")
    with pytest.raises(OSError):
        yk.read_efg(tmp_path / "nothing")
    with pytest.raises(OSError):
        yk.game("memory").table(tmp_path / "nothing")
    path = tmp_path / "proof"
    yk.game("nim").certify(path)
    with pytest.raises(FileExistsError):
        yk.game("nim").certify(path)
    bytes_ = path.read_bytes()
    path.write_bytes(bytes_.replace(b"-1", b"1", 1))
    checked = yk.check(path)
    assert not checked and checked.reason and checked.line


def test_law_a_run_that_does_not_fit_says_so_before_it_starts():
    with pytest.raises(MemoryError, match="limit"):
        yk.game("memory", ranks=150).solve(memory=1 << 20)


def test_law_what_the_callback_raises_ends_the_work():
    class Enough(Exception):
        pass

    def progress(what, done, total):
        raise Enough

    with pytest.raises(Enough):
        yk.game("memory", ranks=80).solve(progress=progress, threads=1)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("work", [
    "yk.game('memory', ranks=100).solve(threads=1)",
    "yk.solve(Endless(), memory=1 << 40)",
])
def test_law_an_interrupt_ends_the_work(work):
    code = """
    import signal, sys, threading, time, os
    sys.path.insert(0, sys.argv[1])
    import yomikiri as yk
    from test_errors import Endless
    # Whoever runs the tests in the background may have switched interrupts off.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    begun = []
    def later():
        time.sleep(1)
        begun.append(True)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=later).start()
    try:
        WORK
        print("it was not interrupted")
    except KeyboardInterrupt:
        print("interrupted", bool(begun))
    """
    code = textwrap.dedent(code).replace("WORK", work)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    out = subprocess.run(
        [sys.executable, "-c", code, os.path.dirname(__file__)], capture_output=True, text=True, timeout=120, env=env
    )
    assert out.stdout.split() == ["interrupted", "True"], out.stderr


def test_law_numbers_of_no_state_are_refused():
    expanded = yk.solve(Nim(1))._walked.expanded
    for ask in (expanded.turn, expanded.edges_of, expanded.detail):
        with pytest.raises(ValueError, match="state: got 99; accepted: a number below 2"):
            ask(99)
