"""A PostgreSQL of our own, from Debian's package: for tests, measurements and clusters on one machine.

It runs as an unprivileged user, listens at a socket in a short temporary folder (and at a port of this machine only
where one is wanted), and ends with whoever started it. Its data are gone when it is closed.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from tools.program import Block, Program, free_port

MISSING = "PostgreSQL is not installed here; on Debian, make postgresql installs it."
NOT_ENDED = "pre-existing shared memory block"
"""What it says if processes of one that was killed still run."""
USERS = ("postgres", "nobody")
"""Whose rights it gets where we are root, which PostgreSQL refuses to run as."""
STOP = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}
"""The signals for pg_ctl's ways of stopping."""
USER = "astragal"


def binaries() -> Path | None:
    """The folder with the newest PostgreSQL's programs; None if there is none."""
    found = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    return max(found, key=lambda path: int(path.parent.name), default=None)


def _user() -> str | None:
    """The unprivileged user, where we are root."""
    if os.geteuid():
        return None
    known = {each.pw_name for each in pwd.getpwall()}
    return next(name for name in USERS if name in known)


class Postgres(Program, Block):
    """A PostgreSQL that is made, started and stopped as often as one likes; commits are durable unless ``fsync=False``.

    A kill ends its first process; the others notice and end, too.
    """

    name = "PostgreSQL"
    patience = 60.0

    def __init__(self, *, fsync: bool = True, tcp: bool = False, settings: Mapping[str, str] | None = None) -> None:
        programs = binaries()
        if programs is None:
            raise FileNotFoundError(MISSING)
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        super().__init__(self.folder / "log")
        self.cwd = self.folder
        self.data = self.folder / "data"
        self.port = free_port() if tcp else 5432
        self._tcp = tcp
        self._user = _user()
        self.wrapper = [*(self._as_user() or ["setpriv"]), "--pdeathsig=QUIT"]
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

    def begin(self) -> None:
        """Make it and start it."""
        self.create()
        self.start()

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

    def command(self) -> list[str | Path]:
        return [self.programs / "postgres", "-D", self.data]

    def is_ready(self) -> bool:
        """Whether it takes connections."""
        ready = [str(self.programs / "pg_isready"), "--quiet", "-h", str(self.folder), "-p", str(self.port)]
        return subprocess.run(ready, check=False).returncode == 0

    def start_again(self) -> bool:
        """Start it again if it ended because processes of one that was killed had not ended yet."""
        too_early = self._process is not None and NOT_ENDED in self.log()[-2000:]
        if too_early:
            self.start(wait=False)
        return too_early

    def stop(self, how: str = "fast") -> None:
        """Stop it as pg_ctl would: smart, fast or immediate."""
        self.end(STOP[how])

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
