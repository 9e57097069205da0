"""Statements that every press waits for, as they go to the driver: written once, and not built anew each time.

A statement names its values `:name`, and a connection is one of the engine's own pool. Failures are those of
SQLAlchemy, as everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

Run = Callable[[str, Mapping[str, Any]], Any]
"""Runs a statement with its values; gives the driver's cursor."""

_NAME = re.compile(r":([a-z_][a-z0-9_]*)")


@cache
def _pyformat(statement: str) -> str:
    return _NAME.sub(r"%(\1)s", statement)


class Direct:
    """The driver of an engine. Safe to use from many threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_sqlite = engine.dialect.name == "sqlite"

    @contextmanager
    def each_alone(self) -> Iterator[Run]:
        """Each statement is a transaction of its own."""
        with self._connection() as (run, _):
            yield run

    @contextmanager
    def together(self) -> Iterator[Run]:
        """All of them are one transaction, or none of them is done."""
        with self._connection() as (run, driver):
            run("BEGIN IMMEDIATE" if self._is_sqlite else "BEGIN", {})
            try:
                yield run
                run("COMMIT", {})
            except BaseException:
                with suppress(Exception):  # what has failed before is what counts
                    driver.rollback()
                raise

    @contextmanager
    def _connection(self) -> Iterator[tuple[Run, Any]]:
        """Without transactions that begin by themselves."""
        try:
            pooled = self._engine.raw_connection()
        except self._error as error:
            raise self._told(error, None, None, is_gone=True) from error
        driver: Any = pooled.driver_connection

        def run(statement: str, values: Mapping[str, Any]) -> Any:
            text = statement if self._is_sqlite else _pyformat(statement)
            try:
                return driver.execute(text, values)
            except self._error as error:
                is_gone = self._engine.dialect.is_disconnect(error, driver, None)
                if is_gone:  # those that wait in the pool have been cut off with it
                    pooled.invalidate(error)
                    self._engine.dispose()
                raise self._told(error, text, values, is_gone=is_gone) from error

        try:
            if not self._is_sqlite:
                driver.autocommit = True
            yield run, driver
        finally:
            self._give_back(pooled, driver)

    def _give_back(self, pooled: Any, driver: Any) -> None:
        """Into the pool as it was; a connection that is gone, or in the middle of something, is not used again."""
        if pooled.is_valid and not self._is_sqlite:
            try:
                driver.autocommit = False
            except self._error as error:
                pooled.invalidate(error)
        pooled.close()

    @property
    def _error(self) -> Any:
        """What the driver raises."""
        return self._engine.dialect.loaded_dbapi.Error

    def _told(self, error: Exception, text: str | None, values: Any, *, is_gone: bool) -> Exception:
        told: Exception = DBAPIError.instance(
            text, values, error, self._error, connection_invalidated=is_gone, dialect=self._engine.dialect
        )
        return told
