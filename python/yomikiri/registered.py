"""The games that come with yomikiri."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import html
import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any, overload

from yomikiri import _native
from yomikiri.options import Options, Progress, words
from yomikiri.rules import Game, Move, moves_table, shown


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a game or a study."""

    name: str
    default: str
    #: What it accepts, in words.
    accepts: str
    help: str


@functools.cache
def _about() -> dict[str, dict[str, Any]]:
    return {about["id"]: about for about in json.loads(_native.games())}


def _number(value: Any) -> Fraction | float | None:
    """A value as it stands in JSON: a number, or a fraction as text."""
    if isinstance(value, str):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            return None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


@dataclasses.dataclass(frozen=True)
class Solution:
    """What a solved game is worth."""

    #: The game.
    game: RegisteredGame
    #: Everything that ``yomikiri solve --json`` says.
    json: dict[str, Any]

    @property
    def value(self) -> Fraction | float | None:
        """What the first player gets: a fraction where it is exact; ``None`` where a game has no one value."""
        if "fraction" in self.json:
            return _number(self.json["fraction"])
        return _number(self.json.get("value"))

    @property
    def certainty(self) -> str:
        """``"exact"``, ``"bound"`` or ``"sampled"``."""
        return str(self.json.get("kind", "exact"))

    @property
    def bounds(self) -> tuple[Fraction | float, Fraction | float] | None:
        """What it is at least and at most."""
        if "interval" in self.json:
            low, high = self.json["interval"]
            return low, high
        return None if self.value is None else (self.value, self.value)

    @property
    def method(self) -> str | None:
        """The word for how it was solved, where there was a choice."""
        return self.json.get("method")

    @property
    def how(self) -> str | None:
        """What the game was found to be and how it was solved, in a sentence."""
        return self.json.get("how")

    @property
    def positions(self) -> int | None:
        """Positions that were solved, where they were counted."""
        return self.json.get("positions")

    def moves(self, position: str | None = None) -> list[Move]:
        """The moves of a position, best first; of the start if none is given."""
        return self.game.show(position).moves

    def __repr__(self) -> str:
        return f"<Solution of {self.game!r}: {shown(self.value)} [{self.certainty}]>"


@dataclasses.dataclass(frozen=True)
class Position:
    """What a position and every move in it is worth."""

    #: The game.
    game: RegisteredGame
    #: Everything that ``yomikiri show --json`` says.
    json: dict[str, Any]
    #: The moves, best first.
    moves: list[Move]
    #: The board as a picture.
    svg: str

    @property
    def position(self) -> str | None:
        """As it is written."""
        return self.json.get("position")

    @property
    def value(self) -> Fraction | float | None:
        """What it is worth to the player to move."""
        return _number(self.json["fraction"]) if "fraction" in self.json else _number(self.json.get("value"))

    @property
    def certainty(self) -> str:
        """``"exact"``, ``"bound"`` or ``"sampled"``."""
        return str(self.json.get("kind", "exact"))

    @property
    def best(self) -> list[Move]:
        """The best moves."""
        return [move for move in self.moves if move.best]

    def __repr__(self) -> str:
        best = ", ".join(move.label for move in self.best)
        return f"<{self.game.name} {self.position}: {shown(self.value)} [{self.certainty}], best: {best or '–'}>"

    def _repr_html_(self) -> str:
        value = f"{html.escape(shown(self.value))} [{self.certainty}]"
        return f"<div>{self.svg}</div><p>{html.escape(str(self.position))}: {value}</p>{moves_table(self.moves)}"


class Match:
    """A running game."""

    def __init__(self, game: RegisteredGame, native: _native.Match, seed: int) -> None:
        self.game, self._native, self._seed = game, native, seed
        self._history: list[int] = []

    def _options(self) -> Options:
        return Options(seed=self._seed)

    @property
    def turn(self) -> int | None:
        """Who is to move; ``None`` when the game is over."""
        return self._native.turn()

    @property
    def board(self) -> str:
        """The board in lines of text."""
        return self._native.table()

    @property
    def result(self) -> str | None:
        """How the game ended, when it is over."""
        return self._native.result()

    def score(self, player: int = 0) -> float | None:
        """What a player got, when the game is over."""
        return self._native.score(player)

    def moves(self) -> list[Move]:
        """What the player to move can do, best first."""
        if self.turn is None:
            return []
        with self._options() as options:
            listed = self._native.moves(options)
        moves = [Move(typed, label, value, best) for typed, label, _, value, best in listed]
        return sorted(moves, key=lambda m: (not m.best, m.value is None, -(m.value or 0)))

    def apply(self, move: Move | str) -> Match:
        """Makes a move: one of :meth:`moves`, or what would be typed for it."""
        turn = self.turn
        if turn is None:
            raise ValueError("move: the game is over; accepted: undo()")
        self._native.apply(str(move.action) if isinstance(move, Move) else str(move))
        self._history.append(turn)
        return self

    @property
    def strengths(self) -> dict[str, str]:
        """How well the machine can play, for :meth:`best`, and what each means; empty where it plays in one way only."""
        return {id: f"{name}: {note}" for id, name, note in self._native.strengths()}

    def best(self, strength: str = "perfect") -> Match:
        """Makes the machine's move: a best one, or what its strategy mixes; or one as good as a strength says.

        >>> match = game("tictactoe").play()
        >>> sorted(match.strengths)
        ['fair', 'perfect', 'random', 'strong', 'traps', 'weak']
        >>> match.best("weak").turn
        1
        """
        turn = self.turn
        if turn is None:
            raise ValueError("move: the game is over; accepted: undo()")
        with self._options() as options:
            self._native.answer(strength, options)
        self._history.append(turn)
        return self

    def hint(self) -> Move | None:
        """A best move; ``None`` when the game is over."""
        return next((move for move in self.moves() if move.best), None)

    def undo(self) -> bool:
        """Takes the last decision back; false if there is none."""
        return bool(self._history) and self._native.undo(self._history.pop())

    def record(self) -> dict[str, Any]:
        """The whole game with its mistakes, for programs."""
        with self._options() as options:
            return dict(json.loads(self._native.record(options)))

    def __repr__(self) -> str:
        return f"<Match of {self.game!r}: {self.result or self._native.prompt()}>"

    def __str__(self) -> str:
        return self.board

    def _repr_html_(self) -> str:
        return self._native.svg(None) + f"<p>{html.escape(self.result or self._native.prompt())}</p>"


@dataclasses.dataclass(frozen=True)
class Puzzle:
    """A position in which one move alone is best."""

    #: Which puzzle it is; that of a day is the number of days since the beginning of 1970.
    number: int
    #: ``"easy"``, ``"medium"`` or ``"hard"``.
    level: str
    #: How hard it is to find, in bits.
    bits: float
    #: The game up to the decision.
    match: Match
    #: All moves, the best first.
    choices: list[Move]
    #: What the next best move gives away.
    price: float

    @property
    def answer(self) -> Move:
        """The only best move."""
        return self.choices[0]

    def __repr__(self) -> str:
        return f"<Puzzle {self.number} of {self.match.game!r}: the only best of {len(self.choices)} moves, {self.level}>"

    def _repr_html_(self) -> str:
        return self.match._repr_html_()


class RegisteredGame(Game):
    """A game that comes with yomikiri, with its parameters fixed. Its rules can be asked as those of your own games."""

    def __init__(self, id: str, settings: Mapping[str, Any]) -> None:
        about = _about().get(id)
        if about is None:
            raise ValueError(f"game: got {id!r}; accepted: {', '.join(_about())}")
        self._about = about
        self._given = words(dict(settings))
        # Refused now and not when it is first asked for.
        self._settings = dict(_native.accept(id, self._given))
        self._native_rules: _native.Rules | None = None
        #: The word it is called by.
        self.name: str = id
        #: How many play.
        self.players: int = int(self._settings.get("players", about["players"]))

    @property
    def title(self) -> str:
        """Its name in words."""
        return str(self._about["name"]["en"])

    @property
    def summary(self) -> str:
        """One line on it."""
        return str(self._about["summary"]["en"])

    @property
    def rules(self) -> str:
        """How it is played."""
        return str(self._about["rules"]["en"])

    @property
    def notation(self) -> str:
        """How positions are written."""
        return str(self._about["notation"])

    @property
    def parameters(self) -> list[Parameter]:
        """Its parameters."""
        return [Parameter(**parameter) for parameter in self._about["parameters"]]

    @property
    def settings(self) -> dict[str, str]:
        """The values of its parameters."""
        return dict(self._settings)

    @property
    def studies(self) -> list[str]:
        """The names of its studies, for :func:`yomikiri.study`."""
        return [study["name"] for study in self._about["studies"]]

    def solve(
        self,
        *,
        method: str | None = None,
        seed: int = 1,
        threads: int | None = None,
        memory: int | None = None,
        progress: Progress | bool | None = None,
    ) -> Solution:
        """Solves it.

        >>> game("nim", heaps="3,4,5").solve().value
        Fraction(1, 1)
        >>> game("pig", target=20).solve().certainty
        'exact'
        """
        with Options(threads, memory, seed, method, progress) as options:
            return Solution(self, json.loads(_native.solve(self.name, self._given, options)))

    def show(
        self,
        position: str | None = None,
        *,
        exact: bool | None = None,
        method: str | None = None,
        table: str | PathLike[str] | None = None,
        seed: int = 1,
        threads: int | None = None,
        memory: int | None = None,
        progress: Progress | bool | None = None,
    ) -> Position:
        """What a position and every move in it is worth; the start if none is given. With ``exact`` in fractions, which
        may take longer where a game has a solver of its own.

        >>> position = game("nim").show("1,4,5")
        >>> position.value, len(position.moves)
        (Fraction(-1, 1), 10)
        >>> [move.label for move in game("memory").show("2x22", exact=True).best]
        ['turn an unknown card']
        """
        tables = [] if table is None else [str(table)]
        exact = bool(self._about["provable"]) if exact is None else exact
        with Options(threads, memory, seed, method, progress) as options:
            shown_, scene_, svg = _native.show(self.name, self._given, position, tables, True, "en", options)
            told, scene = json.loads(shown_), json.loads(scene_)
            values = told.get("moves")
            if exact and isinstance(told.get("position"), str) and isinstance(values, dict) and values:
                request = {"position": told["position"], **self._settings}
                answer = json.loads(_native.evaluate(self.name, json.dumps([request]).encode(), True, tables, options))
                if isinstance(answer.get("moves"), dict):
                    values = answer["moves"]
        moves = self._moves(scene.get("moves", []), values if isinstance(values, dict) else {}, told)
        return Position(self, told, moves, svg)

    @staticmethod
    def _moves(drawn: list[dict[str, Any]], values: dict[str, Any], told: dict[str, Any]) -> list[Move]:
        best = told.get("best") if isinstance(told.get("best"), list) else None
        moves = []
        for move in drawn:
            value = _number(values[move["id"]]) if move["id"] in values else None
            good = move["id"] in best if best is not None else move.get("rank") == 1
            label = str(move["label"]["en"] if isinstance(move["label"], dict) else move["label"])
            moves.append(Move(move["id"], label.replace("{", "").replace("}", ""), value, good))
        return sorted(moves, key=lambda m: (not m.best, m.value is None, -(m.value or 0)))

    def eval(
        self,
        requests: Iterable[Mapping[str, Any]],
        *,
        exact: bool = False,
        table: str | PathLike[str] | None = None,
        threads: int | None = None,
        memory: int | None = None,
        progress: Progress | bool | None = None,
    ) -> Answers:
        """Answers many requests at once, on all cores: what ``yomikiri eval`` answers, in the same order. A request that
        cannot be answered is answered with its ``error``. The game's own parameters hold where a request names a position.

        >>> game("memory").eval([{"counts": [2, 0, 0, 0, 0, 0, 0, 0, 0]}], exact=True)[0]["value"]
        '17/35'
        """
        own, asked = dict(self._given), []
        for request in requests:
            if type(request) is not dict and not isinstance(request, Mapping):
                raise ValueError(f"requests: got {request!r}; accepted: mappings, as dicts")
            asked.append({**own, **request} if own and "position" in request else request)
        try:
            text = json.dumps(asked, default=_plain, allow_nan=False)
        except (TypeError, RecursionError) as error:
            raise ValueError(f"requests: {error}; accepted: what JSON can write") from None
        tables = [] if table is None else [str(table)]
        with Options(threads, memory, progress=progress) as options:
            answers = _native.evaluate(self.name, text.encode(), exact, tables, options)
        return Answers(answers)

    def play(self, position: str | None = None, *, seed: int = 1) -> Match:
        """A game to be played, from a position if one is given; chance follows the seed.

        >>> match = game("nim", heaps="1,2").play()
        >>> match.apply(match.hint()).turn
        1
        """
        with Options(seed=seed) as options:
            return Match(self, _native.play(self.name, self._given, position, options), seed)

    def puzzle(
        self,
        number: int | datetime.date | None = None,
        *,
        threads: int | None = None,
        memory: int | None = None,
        progress: Progress | bool | None = None,
    ) -> Puzzle:
        """The puzzle with a number, or that of a day; today's if nothing is said. A game without settings of your own has
        the puzzle that everybody gets.

        >>> puzzle = game("nim").puzzle(7)
        >>> puzzle.match.apply(puzzle.answer).record()["mistakes"]
        []
        >>> game("nim").puzzle(datetime.date(1970, 1, 8)).answer == puzzle.answer
        True
        """
        if number is None:
            number = datetime.date.today()
        if isinstance(number, datetime.date):
            number = (number - datetime.date(1970, 1, 1)).days
        if not isinstance(number, int) or not 0 <= number < 1 << 32:
            raise ValueError(f"number: got {number!r}; accepted: a whole number from 0 to 4294967295, or a date since 1970")
        with Options(threads, memory, progress=progress) as options:
            text, native = _native.puzzle(self.name, self._given, number, options)
        told = json.loads(text)
        choices = [Move(m["move"], m["label"], m["value"], at == 0) for at, m in enumerate(told["choices"])]
        match = Match(self, native, told["seed"])
        return Puzzle(number, told["level"], told["bits"], match, choices, told["price"])

    def certify(
        self,
        path: str | PathLike[str],
        *,
        method: str | None = None,
        threads: int | None = None,
        memory: int | None = None,
        progress: Progress | bool | None = None,
    ) -> None:
        """Writes a proof of what it is worth, for :func:`yomikiri.check`. What is there already is not overwritten."""
        with Options(threads, memory, 1, method, progress) as options:
            proof = _native.certify(self.name, self._given, options)
        with open(path, "xb") as file:
            file.write(proof)

    def table(self, folder: str | PathLike[str]) -> Any:
        """A solved table of this game, as ``yomikiri table build`` writes it: numpy's memory maps, and values."""
        from yomikiri.tables import Table

        return Table(self, folder)

    def _rules(self) -> _native.Rules:
        if self._native_rules is None:
            with Options() as options:
                self._native_rules = _native.rules(self.name, self._given, options)
        return self._native_rules

    @property
    def hidden(self) -> bool:
        return self._rules().hidden

    def start(self) -> Any:
        return self._rules().start()

    def turn(self, s: Any) -> int:
        return self._rules().turn(s)

    def actions(self, s: Any) -> list[str]:
        return [action for action, _ in self._rules().choices(s)]

    def chance(self, s: Any) -> list[tuple[str, int]]:
        return self._rules().choices(s)

    def apply(self, s: Any, a: str) -> Any:
        return self._rules().apply(s, a)

    def utility(self, s: Any) -> list[int]:
        return self._rules().utility(s)

    def info(self, s: Any, player: int) -> str | None:
        return self._rules().info(s, player)

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self._given)
        return f"game({self.name!r}{given})"

    def _repr_html_(self) -> str:
        return f"<b>{html.escape(self.title)}</b><p>{html.escape(self.rules)}</p>"


class Answers(Sequence[dict[str, Any]]):
    """The answers to many requests, in their order: dicts, each made when it is asked for."""

    def __init__(self, text: bytes) -> None:
        #: All answers as they came, a line of JSON each.
        self.text = text
        self._lines = text.splitlines()

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, at: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(at, slice):
            return [dict(json.loads(line)) for line in self._lines[at]]
        return dict(json.loads(self._lines[at]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"<Answers: {len(self):,}>"


def _plain(value: Any) -> Any:
    """Numbers of other libraries, as numpy's, for JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise ValueError(f"requests: got {value!r}; accepted: what JSON can write")


def game(id: str, **settings: Any) -> RegisteredGame:
    """A game that comes with yomikiri, with its parameters.

    >>> game("memory", ranks=3).solve().value
    Fraction(2899, 5775)
    >>> game("memory", ranks=0)
    Traceback (most recent call last):
    ValueError: ranks: got "0"; accepted: a whole number from 1 to 200
    """
    return RegisteredGame(id, settings)


def games() -> list[RegisteredGame]:
    """All games that come with yomikiri.

    >>> [game.name for game in games()][:3]
    ['memory', 'geister', 'saichugen']
    """
    return [RegisteredGame(id, {}) for id in _about()]
