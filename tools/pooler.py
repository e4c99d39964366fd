"""A PgBouncer of our own in front of a PostgreSQL of our own, from Debian's package, with transactions as its turns."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from urllib.parse import quote

from tools.postgres import USER, Postgres
from tools.program import Program

MISSING = "PgBouncer is not installed here; on Debian, make pgbouncer installs it."
PORT = 6432
"""It is the name of a socket only."""


def pooler_program() -> str | None:
    """Where PgBouncer is; None if it is nowhere."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


class Pooler(Program):
    """PgBouncer at a socket in the database's folder; connections of its clients share a few real ones."""

    name = "PgBouncer"

    def __init__(self, postgres: Postgres, size: int = 3) -> None:
        program = pooler_program()
        if program is None:
            raise FileNotFoundError(MISSING)
        super().__init__(postgres.folder / "pgbouncer.log")
        self.wrapper = postgres.wrapper
        self._program, self._postgres = program, postgres
        self._file = postgres.folder / "pgbouncer.ini"
        self._file.write_text(configuration(postgres.folder, postgres.port, size), "utf-8")
        (postgres.folder / "users").write_text(f'"{USER}" ""\n', "utf-8")

    def command(self) -> list[str | Path]:
        return [self._program, self._file]

    def is_ready(self) -> bool:
        """Whether it takes connections."""
        words = [str(self._postgres.programs / "pg_isready"), "-q", "-h", str(self._postgres.folder), "-p", str(PORT)]
        return subprocess.run(words, check=False).returncode == 0

    def url(self, database: str = "postgres") -> str:
        """The address of a database through it."""
        return f"postgresql://{USER}@/{database}?host={quote(str(self._postgres.folder), safe='')}&port={PORT}"


def configuration(folder: Path, port: int, size: int) -> str:
    """Its settings; those under ``pool_mode`` are what docs/postgresql.md asks for."""
    return f"""\
[databases]
* = host={folder} port={port}

[pgbouncer]
listen_addr =
listen_port = {PORT}
unix_socket_dir = {folder}
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 500
"""
