"""The notebooks, cell by cell."""

from __future__ import annotations

import json
import os
import pathlib

import pytest

FOLDER = pathlib.Path(os.environ.get("YOMIKIRI_NOTEBOOKS", pathlib.Path(__file__).parent.parent / "notebooks"))
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NEEDS = {"4": ["matplotlib", "pandas", "polars"], "2": ["matplotlib"], "5": ["pyspiel"]}


def test_law_there_are_five():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_law_every_cell_runs(path, monkeypatch):
    for module in NEEDS.get(path.stem[0], []):
        pytest.importorskip(module)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("YOMIKIRI_DEALS", "300")
    space: dict[str, object] = {}
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        assert not cell.get("outputs"), "what was computed is not kept in the notebook"
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            exec(compile(source, f"{path.name}, cell {number}", "exec"), space)
            # The last line is shown as a notebook would.
            last = source.strip().splitlines()[-1]
            if last and not last.startswith((" ", "}", ")", "]", "#", "assert", "fig.", "for ")) and "=" not in last.split("(")[0]:
                shown = eval(last, space) if not last.startswith(("import", "from")) else None
                render = getattr(shown, "_repr_html_", None)
                assert (render() if render else repr(shown)) is not None
