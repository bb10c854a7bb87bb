"""How something is computed: threads, memory, and who is told how it goes on."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

#: Called with what is done, how much of it, and of how much (0 where nobody knows); a note has ``None`` for both.
Progress = Callable[[str, "int | None", "int | None"], None]


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def free_memory() -> int:
    """Three quarters of the memory that is free now, where the system tells; else 4 GiB."""
    left = []
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    left.append(int(line.split()[1]) * 1024)
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as file:
            most = file.read().strip()
        if most != "max":
            with open("/sys/fs/cgroup/memory.current", encoding="ascii") as file:
                left.append(max(int(most) - int(file.read()), 0))
    except (OSError, ValueError, IndexError):
        pass
    return min(left) * 3 // 4 if left else 4 << 30


class Bar:
    """A bar for work that takes longer than a second: tqdm's where that is installed, else a line on stderr."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.bar: Any = None
        self.what = ""
        self.told = 0.0

    def __call__(self, what: str, done: int | None, total: int | None) -> None:
        now = time.monotonic()
        if done is None or total is None or now - self.begun < 1 or now - self.told < 0.2:
            return
        self.told = now
        if what != self.what:
            self.close()
            self.what = what
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            share = f" {done / total:.0%}" if total else f" {done:,}"
            sys.stderr.write(f"\r{what}{share}\x1b[K")
            sys.stderr.flush()
            self.bar = True
            return
        if self.bar is None:
            self.bar = tqdm(desc=what, total=total or None, leave=False)
        self.bar.n = done
        self.bar.refresh()

    def close(self) -> None:
        """Takes the bar away."""
        if self.bar is True:
            sys.stderr.write("\r\x1b[K")
        elif self.bar is not None:
            self.bar.close()
        self.bar = None


def seen() -> bool:
    """Whether somebody would see a bar: at a terminal or in a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


class Options:
    """What the native module is told; used as a context, it takes its bar away in the end."""

    def __init__(
        self,
        threads: int | None = None,
        memory: int | None = None,
        seed: int = 1,
        method: str | None = None,
        progress: Progress | bool | None = None,
    ) -> None:
        for field, number, least in (("threads", threads, 1), ("memory", memory, 1), ("seed", seed, 0)):
            if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < least):
                raise ValueError(f"{field}: got {number!r}; accepted: a whole number from {least} on")
        if seed >= 1 << 64:
            raise ValueError(f"seed: got {seed}; accepted: a whole number below 2**64")
        if progress is not None and not isinstance(progress, bool) and not callable(progress):
            raise ValueError(f"progress: got {progress!r}; accepted: a function, True, False or None")
        self.bar = Bar() if progress is True or (progress is None and seen()) else None
        self.native: dict[str, Any] = {
            "threads": min(threads or cores(), 1024),
            "memory": min(memory or free_memory(), (1 << 64) - 1),
            "seed": seed,
            "method": method,
            "progress": self.bar or (progress if callable(progress) else None),
        }

    def __enter__(self) -> dict[str, Any]:
        return self.native

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.close()


def words(settings: dict[str, Any]) -> list[tuple[str, str]]:
    """Parameters as they would be typed. Names that Python does not allow are written with an underscore.

    >>> words({"ranks": 13, "heaps": [3, 4, 5], "objective": "win"})
    [('ranks', '13'), ('heaps', '3,4,5'), ('objective', 'win')]
    >>> words({"max_hand": 5, "from_": 1})
    [('max-hand', '5'), ('from', '1')]
    """

    def word(value: Any) -> str:
        if isinstance(value, (list, tuple)):
            return ",".join(word(one) for one in value)
        return str(value)

    return [(name.rstrip("_").replace("_", "-"), word(value)) for name, value in settings.items()]
