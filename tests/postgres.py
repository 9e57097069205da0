"""A real PostgreSQL server for the tests, from the system's packages, in a folder of its own and on a socket only."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from croupier.store import open_store


def binaries() -> Path:
    """The folder of `initdb` and `pg_ctl`. Debian keeps them off the PATH."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
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
        self._store = ""
        self._make()
        self.start()

    def _make(self) -> None:
        self._run(
            "initdb", "--auth=trust", "--username=croupier", "--encoding=UTF8", "--locale=C", "-D", str(self._data)
        )

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

    def new_database(self, like: str = "template1") -> str:
        """The URL of an empty database, or of a copy of another."""
        self._databases += 1
        name = f"test_{self._databases}"
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {like}".encode())
        return self._url(name)

    def new_store(self) -> str:
        """The URL of a store without an entry: a copy, as ten migrations take twice as long."""
        if not self._store:
            url = self.new_database()
            open_store(url).close()
            self._store = _name(url)
        return self.new_database(like=self._store)

    def drop_database(self, url: str) -> None:
        """Databases that are done with would only make the next recovery longer."""
        name = _name(url)
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
            connection.execute(f"DROP DATABASE IF EXISTS {name}_play WITH (FORCE)".encode())

    def _url(self, name: str) -> str:
        return f"postgresql://croupier@/{name}?host={self.folder}"

    def set(self, setting: str, value: str) -> None:
        """A setting of the whole server, from now on."""
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET {setting} = '{value}'".encode())
            connection.execute("SELECT pg_reload_conf()")

    def remove(self) -> None:
        with suppress(subprocess.CalledProcessError):  # it was killed
            self.stop()
        shutil.rmtree(self.folder)


def _name(url: str) -> str:
    """A database's name, of its URL."""
    return url.removeprefix("postgresql://croupier@/").partition("?")[0]


class Standby(Server):
    """A copy of a server that follows it, until it is promoted."""

    def __init__(self, first: Server, name: str) -> None:
        self._first = first
        self._name = name
        super().__init__()

    def _make(self) -> None:
        source = f"host={self._first.folder} user=croupier application_name={self._name}"
        copy = ("--pgdata", str(self._data), "--wal-method=stream", "--checkpoint=fast", "--write-recovery-conf")
        self._run("pg_basebackup", "--dbname", source, *copy)

    def url_of(self, url: str) -> str:
        """The same database here."""
        return url.replace(str(self._first.folder), str(self.folder))

    def wait_until_streaming(self) -> None:
        """Until the first server counts it as synchronous."""
        until = time.monotonic() + 60
        with psycopg.connect(self._first._url("postgres"), autocommit=True) as connection:
            query = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
            while (connection.execute(query).fetchone() or (0,))[0] == 0:
                assert time.monotonic() < until
                time.sleep(0.05)

    def promote(self) -> None:
        self._run("pg_ctl", "promote", "-w", "-D", str(self._data))
