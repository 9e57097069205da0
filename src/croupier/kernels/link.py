"""Linking: one source of rules, several machines.

A kernel is a plain Python function that calls other plain functions and the effects of `effects.py`. `link` copies such
a function and everything it calls, puts an interpreter's effects in the place of the declared ones, and passes each
copy through `jit` (nothing for plain Python, Numba for the CPU, `numba.cuda` for the GPU). The rule files themselves
carry no decorator and know nothing of the machine.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakValueDictionary

Kernel = Callable[..., Any]
Jit = Callable[[Kernel], Any]

STAMP_LENGTH = 20
VERSIONS_KEPT = 4
"""How many versions of one thing stay on disk: checkouts of several versions use one folder side by side."""
LIBRARIES = ("numba", "llvmlite", "numpy")
"""Packages whose version changes what is compiled or computed."""
WRITTEN: dict[str, bytes] = {}
"""Sources of functions that were made of a text and not of a file, by the name that stands for the file."""


def plain(function: Kernel) -> Kernel:
    """The target "plain Python": nothing is compiled, Numba is not even imported."""
    return function


# Functions that only other compiled functions call need no way in from Python: that halves the time to compile.
_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
# Kernels make no arrays, so nobody needs to count who holds one: six times the speed, with arrays in tuples.
_UNCOUNTED = {"_nrt": False}


def cpu(function: Kernel) -> Any:
    """The target "compiled for the CPU", for kernels called by other kernels: pasted into their caller."""
    import numba

    return numba.njit(forceinline=True, **_INNER, **_UNCOUNTED)(function)


def cpu_called(function: Kernel) -> Any:
    """The same for programs that make arrays and are too large to be pasted together."""
    import numba

    return numba.njit(**_INNER)(function)


def cuda(function: Kernel) -> Any:
    """The target "device function of a CUDA kernel". Under Numba's CUDA simulator the same path runs without a GPU."""
    from numba import cuda as numba_cuda

    return numba_cuda.jit(device=True, **real_gpu_only(forceinline=True))(function)


def real_gpu_only(**options: Any) -> dict[str, Any]:
    """Options of a compiler, which the simulator of GPUs does not know."""
    from numba import config

    return {} if config.ENABLE_CUDASIM else options


_copies: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()
"""Copies in use by what they are made of: programs that differ in one bet share all that knows nothing of it, which is
most of the time to compile them."""


def link(function: Kernel, jit: Jit, replace: Mapping[str, Kernel] | None = None) -> Any:
    """`function` for another target, with the functions named in `replace` put in the place of those it calls."""
    replacements = dict(replace or {})
    copies: dict[int, Any] = {}

    def put_in(value: Any) -> Any:
        return copy(value) if isinstance(value, FunctionType) else value

    def copy(original: Kernel) -> Any:
        if id(original) not in copies:
            names = globals_of(original)
            key = (jit, original, *((name, *_identity(value)) for name, value in sorted(names.items())))
            shared = _copies.get(key)
            if shared is None:
                shared = _copies[key] = jit(twin_of(original, names))
            copies[id(original)] = shared
        return copies[id(original)]

    def globals_of(original: Kernel) -> dict[str, Any]:
        """What the names that a function uses stand for in its copy."""
        assert isinstance(original, FunctionType)
        known = {**original.__globals__, **replacements}
        return {name: put_in(known[name]) for name in _names_used(original.__code__) if name in known}

    return twin_of(function, globals_of(function))


def twin_of(original: Kernel, names: Mapping[str, Any]) -> FunctionType:
    """The same code among other globals."""
    assert isinstance(original, FunctionType)
    namespace = {"__builtins__": __builtins__, "__name__": original.__module__, **names}
    twin = FunctionType(original.__code__, namespace, original.__name__, original.__defaults__)
    twin.__qualname__ = original.__qualname__
    twin.__module__ = original.__module__
    return twin


def _identity(value: Any) -> tuple[Any, ...]:
    """What tells a value from others as long as the copy lives that holds it."""
    return (type(value), value) if isinstance(value, int | str) else (object, id(value))


def compile_cpu(function: Kernel, name: str, replace: Mapping[str, Kernel] | None = None, jit: Jit = cpu) -> Any:
    """An entry point compiled for the CPU and kept on disk under `name` and the hash of all it was linked from."""
    import numba

    linked = link(function, jit, replace)
    special = {**_UNCOUNTED, "pipeline_class": _apart()} if jit is cpu else {}
    compiled = numba.njit(nogil=True, **special)(linked)
    parts = [function, *(replace or {}).values()]
    compiled._cache = _disk_cache(name, fingerprint(parts))
    return compiled


@cache
def _apart() -> Any:
    """Numba's compiler, told that an entry point's arrays do not overlap: values stay in registers between writes."""
    from numba.core.compiler import Compiler

    class Apart(Compiler):  # type: ignore[misc]
        def __init__(self, typing: Any, target: Any, library: Any, args: Any, returned: Any, flags: Any, local: Any):
            flags.noalias = True
            super().__init__(typing, target, library, args, returned, flags, local)

    return Apart


def _names_used(code: CodeType) -> set[str]:
    """Global names a function mentions, with those of the functions written inside it."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_used(constant)
    return names


def cache_folder() -> Path:
    """Where compiled code is kept: `$CROUPIER_CACHE`, else the user's cache folder."""
    chosen = os.environ.get("CROUPIER_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier"


@cache
def _kernel_sources() -> bytes:
    """All rule sources: a change in any of them makes every compiled function stale."""
    folder = Path(__file__).parent
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*.py")))


@cache
def _library_versions() -> bytes:
    """Python and the libraries that compile and compute."""
    from importlib.metadata import version  # read from their folders: nothing is imported

    return repr((sys.version_info[:3], [version(name) for name in LIBRARIES])).encode()


def fingerprint(sources: Sequence[Kernel | ModuleType]) -> str:
    """A stamp of all rule sources, of these modules, of every file that these functions and their callees are in, and
    of the libraries' versions.

    Numba's own cache watches one file, but an entry point is linked from many.
    """
    digest = hashlib.sha256(_kernel_sources() + _library_versions())
    files = {str(source.__file__) for source in sources if isinstance(source, ModuleType)}
    seen: set[int] = set()
    waiting = [source for source in sources if isinstance(source, FunctionType)]
    while waiting:
        function = waiting.pop()
        if id(function) not in seen:
            seen.add(id(function))
            files.add(function.__code__.co_filename)
            called = (function.__globals__.get(name) for name in _names_used(function.__code__))
            waiting += [callee for callee in called if isinstance(callee, FunctionType) and _is_ours(callee)]
    for name in sorted(files):
        digest.update(WRITTEN[name] if name in WRITTEN else Path(name).read_bytes())
    return digest.hexdigest()[:STAMP_LENGTH]


def _is_ours(function: FunctionType) -> bool:
    """Whether a called function may be linked too, and is not of a library."""
    path = Path(function.__code__.co_filename)
    return str(path) in WRITTEN or ("site-packages" not in path.parts and path.is_file())


def forget_older(name: str, stamp: str) -> None:
    """Of what was kept under this name, leaves `stamp` and the versions that were used last."""
    last_use: dict[str, float] = {}
    versions: dict[str, list[Path]] = {}
    for path in cache_folder().glob(f"{name}-*"):
        version = path.name.removeprefix(f"{name}-")[:STAMP_LENGTH]
        if len(version) == STAMP_LENGTH and set(version) <= set("0123456789abcdef"):
            versions.setdefault(version, []).append(path)
            with suppress(FileNotFoundError):  # somebody else forgot it just now
                last_use[version] = max(last_use.get(version, 0.0), path.stat().st_mtime)
    others = sorted(versions.keys() - {stamp}, key=lambda version: last_use.get(version, 0.0), reverse=True)
    for version in others[VERSIONS_KEPT - 1 :]:
        for path in versions[version]:
            path.unlink(missing_ok=True)


def note_use(path: Path) -> None:
    """Remembers that this file is in use, so that `forget_older` leaves it."""
    with suppress(OSError):
        os.utime(path)


def _disk_cache(name: str, stamp: str) -> Any:
    from numba.core import caching

    class Locator:
        """Numba asks a locator where and under what stamp to keep a function; here both follow from the sources."""

        def get_cache_path(self) -> str:
            return str(cache_folder())

        def ensure_cache_path(self) -> None:
            forget_older(name, stamp)

        def get_source_stamp(self) -> str:
            return stamp

    class Result(caching.CompileResultCacheImpl):  # type: ignore[misc]
        def __init__(self, _py_func: Any) -> None:
            self._locator = Locator()
            self._filename_base = f"{name}-{stamp}"

    class DiskCache(caching.FunctionCache):  # type: ignore[misc]
        _impl_class = Result

        def _index_key(self, sig: Any, codegen: Any) -> Any:
            return (sig, codegen.magic_tuple(), stamp)

    if not cache_is_writable():
        return caching.NullCache()
    note_use(cache_folder() / f"{name}-{stamp}.nbi")
    return DiskCache(None)


def cache_is_writable() -> bool:
    """Without a place to write, everything still works and is compiled anew in each process."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
