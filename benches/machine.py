"""What else the machine does during a run, and how big a process is: read from /proc, so on Linux only."""

import os
import socket
import time
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


class Cpu:
    """Counts from now on the CPU time that neither this process nor the watched ones, with their children, used."""

    def __init__(self, watched: list[int]) -> None:
        self._watched = [os.getpid(), *watched]
        self._begin = time.perf_counter()
        self._used, self._stolen = _ticks_of_others(self._watched), _stolen_ticks()

    def foreign(self) -> tuple[float, float]:
        """Cores that other programs used since, and cores that the host gave to other machines."""
        ticks = max(time.perf_counter() - self._begin, 1e-9) * _TICKS
        used = _ticks_of_others(self._watched) - self._used
        return max(used, 0) / ticks, (_stolen_ticks() - self._stolen) / ticks


def _stolen_ticks() -> int:
    return int(Path("/proc/stat").read_text().split("\n", 1)[0].split()[8])


def _ticks_of_others(roots: list[int]) -> int:
    """The CPU time of every process that is not below the roots, its ended children included."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
        ticks[int(folder.name)] = sum(int(field) for field in fields[11:15])
    return sum(used for process, used in ticks.items() if not _is_below(process, roots, parents))


def _is_below(process: int, roots: list[int], parents: dict[int, int]) -> bool:
    """Whether a process is a root or descends from one; ids that are given again meanwhile may make a ring."""
    seen: set[int] = set()
    while process not in roots:
        if process in seen or process not in parents:
            return False
        seen.add(process)
        process = parents[process]
    return True


def resident_mb(process: int) -> float:
    """The resident memory of a process in MB (10^6 bytes)."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise RuntimeError(f"process {process} has no resident memory")


def free_port() -> int:
    """A port of the loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def describe() -> str:
    """The machine in one line."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if "model name" in line
    ]
    kernel = os.uname()
    return f"{os.cpu_count()} cores ({models[0] if models else kernel.machine}), {kernel.sysname} {kernel.release}"
