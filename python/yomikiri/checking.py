"""The checkers: they share nothing with the solvers."""

from __future__ import annotations

import dataclasses
import json
import os
from fractions import Fraction
from typing import Any

from yomikiri import _native
from yomikiri.options import Options, Progress


@dataclasses.dataclass(frozen=True)
class Checked:
    """What came of checking a certificate or a proof. It is true where it was accepted."""

    #: Whether it proves what it claims.
    accepted: bool
    #: Why not.
    reason: str | None
    #: The line at fault.
    line: int | None
    #: What it proves.
    proved: dict[str, Any] | None

    def __bool__(self) -> bool:
        return self.accepted

    @property
    def value(self) -> Fraction | None:
        """The proved value for the first player, where a proof leaves nothing open."""
        bounds = (self.proved or {}).get("bounds")
        if not bounds or bounds[0][0] != bounds[0][1]:
            return None
        return Fraction(bounds[0][0])


def check(
    path: str | os.PathLike[str],
    *,
    threads: int | None = None,
    memory: int | None = None,
    progress: Progress | bool | None = None,
) -> Checked:
    """Checks a certificate or a proof, from the rules alone.

    >>> import os, tempfile
    >>> from yomikiri import game
    >>> path = os.path.join(tempfile.mkdtemp(), "kuhn.jsonl")
    >>> game("kuhn").certify(path)
    >>> checked = check(path)
    >>> checked.accepted, checked.value
    (True, Fraction(-1, 18))
    """
    with Options(threads, memory or 1 << 30, 1, None, progress) as options:
        return Checked(**json.loads(_native.check(os.fspath(path), options)))
