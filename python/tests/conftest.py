"""The table of values beside those of other programs, written when the tests are over."""

from __future__ import annotations

import os
import pathlib

import pytest

_FOUND: list[tuple[str, str, str, str]] = []


@pytest.fixture
def comparisons():
    return _FOUND


def pytest_sessionfinish(session, exitstatus):
    folder = os.environ.get("YOMIKIRI_COMPARISONS")
    if folder and _FOUND:
        rows = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in sorted(_FOUND)]
        text = "| by | game | ours | theirs |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
        pathlib.Path(folder).write_text(text, encoding="utf-8")
