"""A PostgreSQL of our own, from Debian's package: for tests, measurements and clusters on one machine.

It runs as an unprivileged user, listens at a socket in a short temporary folder (and at a port of this machine only
where one is wanted), and ends with whoever started it. Its data are gone when it is closed.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

MISSING = "PostgreSQL is not installed here; on Debian, make postgresql installs it."
NOT_ENDED = "pre-existing shared memory block"
"""What it says if processes of one that was killed still run."""
PATIENCE = 60.0
"""Seconds to wait for it to start or to stop."""
USERS = ("postgres", "nobody")
"""Whose rights it gets where we are root, which PostgreSQL refuses to run as."""
STOP = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}
"""The signals for pg_ctl's ways of stopping."""
USER = "astragal"


def binaries() -> Path | None:
    """The folder with the newest PostgreSQL's programs; None if there is none."""
    found = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    return max(found, key=lambda path: int(path.parent.name), default=None)


def free_port() -> int:
    """A port of this machine that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _user() -> str | None:
    """The unprivileged user, where we are root."""
    if os.geteuid():
        return None
    known = {each.pw_name for each in pwd.getpwall()}
    return next(name for name in USERS if name in known)


class Postgres:
    """A PostgreSQL that is made, started and stopped as often as one likes; commits are durable unless ``fsync=False``.

    Start it from a thread that lives as long as it is needed: the system stops it when that thread ends.
    """

    def __init__(self, *, fsync: bool = True, tcp: bool = False, settings: Mapping[str, str] | None = None) -> None:
        programs = binaries()
        if programs is None:
            raise FileNotFoundError(MISSING)
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        self.data = self.folder / "data"
        self.port = free_port() if tcp else 5432
        self._tcp = tcp
        self._user = _user()
        self._process: subprocess.Popen[bytes] | None = None
        self._settings = {
            "unix_socket_directories": str(self.folder),
            "listen_addresses": "127.0.0.1" if tcp else "",
            "port": str(self.port),
            "fsync": "on" if fsync else "off",
            "shared_buffers": "64MB",
            "max_connections": "200",
            "log_min_messages": "warning",
            "lc_messages": "C",
            **(settings or {}),
        }
        if self._user:
            shutil.chown(self.folder, self._user)
        self.folder.chmod(0o755)  # others may connect to the socket

    def __enter__(self) -> Self:
        try:
            self.create()
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def create(self) -> None:
        """Make the files of a new, empty database cluster."""
        self.run("initdb", "--pgdata", self.data, "--username", USER, "--auth", "trust", "--encoding", "UTF8",
                 "--locale", "C.UTF-8", "--no-sync")  # fmt: skip
        self.configure(**self._settings)

    def configure(self, **settings: str) -> None:
        """Add settings, which hold from the next start on."""
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def run(self, program: str, *words: object) -> str:
        """Run one of PostgreSQL's programs as its user; returns what it prints."""
        done = subprocess.run(
            [*self._as_user(), self.programs / program, *map(str, words)],
            capture_output=True, text=True, check=False, cwd=self.folder,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr.strip() or done.stdout.strip()}")
        return done.stdout

    def _as_user(self) -> list[str]:
        if self._user is None:
            return []
        return ["setpriv", f"--reuid={self._user}", f"--regid={pwd.getpwnam(self._user).pw_gid}", "--clear-groups"]

    def start(self, wait: bool = True) -> None:
        """Start it, and wait until it takes connections."""
        wrapper = self._as_user() or ["setpriv"]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*wrapper, "--pdeathsig=QUIT", self.programs / "postgres", "-D", self.data],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder, start_new_session=True,
            )  # fmt: skip
        if wait:
            self.wait()

    def wait(self) -> None:
        """Wait until it takes connections."""
        until = time.monotonic() + PATIENCE
        ready = [str(self.programs / "pg_isready"), "--quiet", "-h", str(self.folder), "-p", str(self.port)]
        while subprocess.run(ready, check=False).returncode:
            if time.monotonic() > until or not (self.running or self._was_too_early()):
                raise RuntimeError(f"PostgreSQL did not start: {self.log()[-2000:]}")
            if not self.running:
                self.start(wait=False)
            time.sleep(0.02)

    def _was_too_early(self) -> bool:
        """Whether it ended because other processes of one that was killed had not ended yet; then it can try again."""
        return self._process is not None and NOT_ENDED in self.log()[-2000:]

    def log(self) -> str:
        """What it logged."""
        return (self.folder / "log").read_text("utf-8", "replace")

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def stop(self, how: str = "fast") -> None:
        """Stop it as pg_ctl would: smart, fast or immediate."""
        self.end(STOP[how])

    def kill(self) -> None:
        """End its first process with kill -9; the others notice and end, too."""
        self.end(signal.SIGKILL)

    def end(self, number: int) -> None:
        """Send its first process a signal that ends it, and wait for the end."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.send_signal(number)
            process.wait(PATIENCE)

    def pause(self) -> None:
        """Let every process of it stand still, as a machine does that nobody can reach."""
        self._signal_all(signal.SIGSTOP)

    def resume(self) -> None:
        """Let them go on."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: int) -> None:
        assert self._process
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text("utf-8").split()
        for pid in (self._process.pid, *map(int, children)):
            os.kill(pid, number)

    def url(self, database: str = "postgres") -> str:
        """The address of a database in it."""
        if self._tcp:
            return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"
        return f"postgresql://{USER}@/{database}?host={quote(str(self.folder), safe='')}&port={self.port}"

    def psql(self, sql: str, database: str = "postgres") -> str:
        """Run SQL with psql; returns what it prints, without headings."""
        return self.run(
            "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", self.port, "-U", USER, "-d", database,
            "-c", sql,
        ).strip()  # fmt: skip

    def new_database(self, name: str, template: str = "template0") -> str:
        """Make an empty database, or a copy of another that nobody uses; returns its address."""
        self.psql(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self.url(name)

    def close(self) -> None:
        """Stop it and delete its data."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)
