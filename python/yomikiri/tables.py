"""Solved tables on disk, as ``yomikiri table build`` writes them."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from yomikiri.registered import Position, RegisteredGame


class Table:
    """A solved table: its arrays as numpy's memory maps, of which nothing is read before it is asked for."""

    def __init__(self, game: RegisteredGame, folder: str | os.PathLike[str]) -> None:
        self.game = game
        self.folder = os.fspath(folder)
        path = os.path.join(self.folder, "manifest.json")
        with open(path, encoding="utf-8") as file:
            try:
                manifest = json.load(file)
            except json.JSONDecodeError as error:
                raise ValueError(f"{path}: {error}; accepted: the manifest of a table") from None
        #: What the table says of itself.
        self.manifest: dict[str, Any] = manifest
        if not isinstance(manifest, dict) or manifest.get("game") != game.name:
            is_ = manifest.get("game") if isinstance(manifest, dict) else manifest
            raise ValueError(f"{path}: got a table of {is_!r}; accepted: one of {game.name!r}")

    @property
    def files(self) -> list[str]:
        """The names of its arrays."""
        return sorted(name for name in os.listdir(self.folder) if name.endswith(".npy"))

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, name: str) -> Any:
        """An array as a memory map."""
        if name not in self.files:
            raise KeyError(f"array: got {name!r}; accepted: {', '.join(self.files)}")
        return np.load(os.path.join(self.folder, name), mmap_mode="r", allow_pickle=False)

    def show(self, position: str | None = None) -> Position:
        """What a position and every move in it is worth, from the table and nothing else."""
        return self.game.show(position, table=self.folder)

    def value(self, position: str | None = None) -> Fraction | float | None:
        """What a position is worth to the player to move, from the table and nothing else."""
        return self.show(position).value

    def __repr__(self) -> str:
        return f"<Table of {self.game!r} in {self.folder}: {len(self)} arrays>"
