"""Neo4j Community from its Maven artifacts, in a JVM of its own, without authentication."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from infra.local.errors import ServerTrouble
from infra.local.places import Places
from infra.local.server import Command

SOURCE = Path(__file__).with_name("Neo4jServer.java")
# magic, then four proposals: 5.8 down to 5.0, 4.4 and two empty ones (the Bolt handshake specification)
HANDSHAKE = bytes.fromhex("6060b01700080805000004040000000000000000")
OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>neo4j</artifactId><version>{version}</version>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j-bolt</artifactId><version>{version}</version></dependency>
  </dependencies>
</project>
"""
CONFIGURATION = """server.directories.data={folder}/data
server.directories.logs={folder}/logs
server.directories.run={folder}/run
server.bolt.enabled=true
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
dbms.security.auth_enabled=false
dbms.usage_report.enabled=false
server.memory.pagecache.size=64m
# a quarter of a gigabyte a database otherwise
db.tx_log.preallocate=false
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neo4j:
    """``java`` = the oldest and newest Java release it runs on, and the one to take where there are several."""

    version: str
    java: tuple[int, int]
    preferred: int
    heap: str = "512m"

    @property
    def name(self) -> str:
        return f"neo4j-{self.version}"

    @property
    def bring(self) -> str:
        return f"apt-get install openjdk-{self.preferred}-jdk-headless maven, or any JDK {self._range} beside maven"

    @property
    def signals(self) -> tuple[signal.Signals, ...]:
        return (signal.SIGTERM, signal.SIGKILL)

    @property
    def _range(self) -> str:
        return f"{self.java[0]} to {self.java[1]}"

    def lacking(self, places: Places) -> str | None:
        if self.home() is None:
            return f"Neo4j {self.version} needs a JDK {self._range}, and neither JAVA_HOME, PATH nor the usual folders have one"
        if not self._jars(places).is_dir() and shutil.which("mvn") is None:
            return f"Neo4j {self.version} comes by Maven, and mvn is not installed"
        return None

    def home(self) -> Path | None:
        """The home of the JDK to run it with: the preferred release, else the newest that fits."""
        fitting = [(release, home) for release, home in jdks() if self.java[0] <= release <= self.java[1]]
        fitting.sort(key=lambda each: (each[0] == self.preferred, each[0]), reverse=True)
        return fitting[0][1] if fitting else None

    def _jars(self, places: Places) -> Path:
        return places.cache / "lib" / self.name

    def fetch(self, places: Places) -> None:
        lack = self.lacking(places)
        if lack is not None:
            raise ServerTrouble(f"{lack}; to have it: {self.bring}")
        jars = self._jars(places)
        if jars.is_dir():
            return
        with places.fetching(self.name):
            if jars.is_dir():
                return
            part = jars.with_name(f"{self.name}.part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            pom = part / "pom.xml"
            pom.write_text(POM.format(version=self.version), encoding="utf-8")
            words = ["mvn", "--quiet", "--batch-mode", "--strict-checksums", "--file", str(pom), "dependency:copy-dependencies"]
            words += [f"-DoutputDirectory={part}", "-DincludeScope=runtime"]
            told = subprocess.run(words, capture_output=True, text=True, check=False, env=dict(places.environment))
            if told.returncode:
                lines = (told.stdout + told.stderr).strip().splitlines()
                raise ServerTrouble(f"mvn could not fetch Neo4j {self.version}: {lines[0] if lines else told.returncode}")
            pom.unlink()
            part.replace(jars)

    def folder(self, places: Places, name: str) -> Path:
        folder = places.data(name)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def prepare(self, places: Places, folder: Path, port: int) -> Command:
        home = self.home()
        if home is None:
            raise ServerTrouble(f"{self.lacking(places)}; to have it: {self.bring}")
        (folder / "ready").unlink(missing_ok=True)
        (folder / "neo4j.conf").write_text(CONFIGURATION.format(folder=folder, port=port), encoding="utf-8")
        words = [str(home / "bin" / "java"), f"-Xmx{self.heap}", "--add-modules=jdk.incubator.vector"]
        words += [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
        if self.preferred >= 25:  # the first release that warns of it
            words.append("--enable-native-access=ALL-UNNAMED")
        words += ["-cp", str(self._jars(places) / "*"), str(SOURCE), str(folder)]
        return Command(words=tuple(words), environment={})

    def address(self, port: int) -> Mapping[str, str]:
        return {"url": f"bolt://127.0.0.1:{port}", "database": "neo4j", "version": self.version}

    def healthy(self, folder: Path, port: int) -> bool:
        return (folder / "ready").exists() and speaks_bolt(port)


def speaks_bolt(port: int) -> bool:
    """Whether a Bolt server on this port of 127.0.0.1 agrees on a version within two seconds."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as each:
            each.sendall(HANDSHAKE)
            answer = each.recv(4)
    except OSError:
        return False
    return len(answer) == 4 and any(answer)


@cache
def jdks() -> tuple[tuple[int, Path], ...]:
    """(release, home) of each JDK of this machine, by the ``release`` file that every JDK has in its home."""
    return tuple(dict(_jdks()).values())


def _jdks() -> Iterator[tuple[Path, tuple[int, Path]]]:
    homes = [Path(value) for name, value in os.environ.items() if re.fullmatch(r"JAVA_HOME(_\d+.*)?", name)]
    on_path = shutil.which("javac")
    if on_path is not None:
        homes.append(Path(on_path).resolve().parent.parent)
    folders = ("/usr/lib/jvm", "/opt/java", "/usr/local/lib/jvm", "/opt/homebrew/opt", "/usr/local/opt")
    homes += [home for folder in folders for home in sorted(Path(folder).glob("*"))]
    if sys.platform == "darwin":
        homes += sorted(Path("/Library/Java/JavaVirtualMachines").glob("*/Contents/Home"))
    for home in homes:
        try:
            told = re.search(r'^JAVA_VERSION="(\d+)', (home / "release").read_text(encoding="utf-8"), flags=re.MULTILINE)
        except OSError:
            continue
        if told and (home / "bin" / "javac").exists():  # a source file is run, which a bare runtime cannot
            yield home.resolve(), (int(told[1]), home.resolve())
