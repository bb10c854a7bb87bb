"""Experiments as columns of numbers, and papers computed again."""

from __future__ import annotations

import dataclasses
import html
import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from yomikiri import _native
from yomikiri.options import Options, Progress, words


class Rows(Mapping[str, Any]):
    """The rows of a study: a mapping from the names of columns to arrays, and what the study came to in ``.json``."""

    def __init__(self, told: dict[str, Any], columns: dict[str, Any], help: dict[str, str]) -> None:
        #: Everything that ``yomikiri study --json`` says.
        self.json = told
        #: What each column means.
        self.help = help
        self._columns = columns

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self._columns.values()), ()))

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame."""
        import pandas  # type: ignore[import-untyped,unused-ignore]

        return pandas.DataFrame(self._columns)

    def to_polars(self) -> Any:
        """The rows as a polars DataFrame."""
        import polars

        return polars.DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"<Rows: {self.rows:,} of {', '.join(self)}>"


def study(
    game: str,
    name: str,
    *,
    seed: int = 1,
    threads: int | None = None,
    memory: int | None = None,
    progress: Progress | bool | None = None,
    **parameters: Any,
) -> Rows:
    """Runs a study of a game; its rows as numpy arrays.

    >>> rows = study("accordion", "solvable", deals=20)
    >>> rows.rows, sorted(set(rows["verdict"])), int(rows["states"].max())
    (20, ['won'], 21758)
    """
    with Options(threads, memory, seed, None, progress) as options:
        told, columns = _native.study(game, name, words(parameters), options)
    arrays: dict[str, Any] = {}
    for column, _, kind, cells in columns:
        if kind is None:
            arrays[column] = np.array(cells, dtype=object)
        else:
            arrays[column] = np.frombuffer(cells, dtype=kind)
    return Rows(json.loads(told), arrays, {column: help for column, help, _, _ in columns})


@dataclasses.dataclass(frozen=True)
class Part:
    """A table, figure or claim of a paper, computed again."""

    name: str
    title: str
    #: Published figures that were compared, and how many differ.
    compared: int
    differing: int
    #: Each published figure: ``cell``, ``published``, ``computed``, ``verdict``, as far as the part has them.
    figures: list[dict[str, Any]]
    json: dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Reproduction:
    """A paper computed again."""

    json: dict[str, Any]
    parts: list[Part]

    @property
    def compared(self) -> int:
        """How many figures were compared, published ones and other programs'."""
        return int(self.json["compared"])

    @property
    def differing(self) -> int:
        """How many of them differ without an explanation."""
        return int(self.json["differing"])

    @property
    def figures(self) -> list[dict[str, Any]]:
        """All these figures beside the computed ones."""
        return [figure for part in self.parts for figure in part.figures]

    def __repr__(self) -> str:
        return f"<Reproduction of {self.json['paper']}: {self.compared} figures compared, {self.differing} differ>"

    def _repr_html_(self) -> str:
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(figure.get(key, '')))}</td>" for key in _FIGURE) + "</tr>"
            for figure in self.figures
        )
        return f"<table><tr>{''.join(f'<th>{key}</th>' for key in _FIGURE)}</tr>{rows}</table>"


_FIGURE = ("cell", "published", "computed", "verdict")


def reproduce(
    paper: str,
    only: str | list[str] | None = None,
    *,
    full: bool = False,
    seed: int = 1,
    threads: int | None = None,
    memory: int | None = None,
    progress: Progress | bool | None = None,
) -> Reproduction:
    """Computes the paper on a game again, or some parts of it.

    >>> again = reproduce("memory", only="table-2")
    >>> again.compared, again.differing
    (4, 0)
    """
    parts = [only] if isinstance(only, str) else only
    with Options(threads, memory, seed, None, progress) as options:
        told = json.loads(_native.reproduce(paper, parts, full, options))
    return Reproduction(told, [_part(part) for part in told["parts"]])


def _part(part: dict[str, Any]) -> Part:
    figures = [figure for table in part.get("tables", []) for figure in table.get("cells", [])]
    return Part(part["part"], part["title"], part["compared"], part["differing"], figures, part)
