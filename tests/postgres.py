"""A real PostgreSQL server for the tests, from the system's packages, in a folder of its own and on a socket only."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg


def binaries() -> Path:
    """The folder of `initdb` and `pg_ctl`. Debian keeps them off the PATH."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not folders:
        raise RuntimeError("The tests need a PostgreSQL server: run `make postgresql`, or install it and try again.")
    return folders[-1]


class Server:
    """One server. It can be stopped in every way that a server stops."""

    def __init__(self) -> None:
        self._as: dict[str, Any] = {}
        self.folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short: a socket's path has little room
        if os.geteuid() == 0:  # the server refuses to run as root
            names = {entry.pw_name for entry in pwd.getpwall()}
            account = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self._as = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        self._data = self.folder / "data"
        self._databases = 0
        self._run(
            "initdb", "--auth=trust", "--username=croupier", "--encoding=UTF8", "--locale=C", "-D", str(self._data)
        )
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(binaries() / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            **self._as,
        )

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}'"
        # After a cut it syncs every file of every database before it answers, which takes minutes on a busy disk.
        patient = ("-w", "-t", "600")
        self._run("pg_ctl", "start", *patient, "-D", str(self._data), "-l", str(self.folder / "log"), "-o", options)

    def stop(self, how: str = "immediate") -> None:
        """ "immediate" is as if the power went: the server recovers from its log at the next start."""
        self._run("pg_ctl", "stop", "-w", "-D", str(self._data), "-m", how)

    def kill(self) -> None:
        """SIGKILL of the first process, as by a kernel short of memory; the others find out and go."""
        os.kill(int((self._data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    def start_after_kill(self) -> None:
        """It does not start while a process of the killed one still lives."""
        until = time.monotonic() + 60
        while True:
            try:
                return self.start()
            except subprocess.CalledProcessError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def new_database(self) -> str:
        """The URL of an empty database."""
        self._databases += 1
        name = f"test_{self._databases}"
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self._url(name)

    def drop_database(self, url: str) -> None:
        """Databases that are done with would only make the next recovery longer."""
        name = url.removeprefix("postgresql://croupier@/").partition("?")[0]
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())

    def _url(self, name: str) -> str:
        return f"postgresql://croupier@/{name}?host={self.folder}"

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)
