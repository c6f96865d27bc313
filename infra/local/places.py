"""Where everything of the local servers lies, and the environment in which their programs are fetched."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
CACHE_VARIABLE = "LOCAL_SERVERS_CACHE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """``root`` holds records, locks and data; ``cache`` the fetched programs, which may be shared between clones.

    ``environment`` is what programs are fetched with: it names the mirrors and folders of this machine's package tools.
    """

    root: Path
    cache: Path
    environment: Mapping[str, str]

    @staticmethod
    def here(environment: Mapping[str, str] | None = None) -> Places:
        """The ones of this clone: ``.cache/services``; programs in the folder that LOCAL_SERVERS_CACHE names, if it is set."""
        found = dict(os.environ if environment is None else environment)
        root = REPOSITORY / ".cache" / "services"
        return Places(root=root, cache=Path(found.get(CACHE_VARIABLE) or root), environment=found)

    @property
    def records(self) -> Path:
        return self.root / "records"

    def record(self, name: str) -> Path:
        return self.records / f"{name}.json"

    def data(self, name: str) -> Path:
        return self.root / "data" / name

    @contextmanager
    def locked(self, name: str) -> Iterator[None]:
        """One process and thread at a time for this server; a killed holder frees it."""
        with _locked(self.root / "locks" / f"{name}.lock"):
            yield

    @contextmanager
    def fetching(self, program: str) -> Iterator[None]:
        """One fetch of a program at a time, for all clones that share the cache."""
        with _locked(self.cache / "locks" / f"{program}.lock"):
            yield


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
