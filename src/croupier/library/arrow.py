"""Columns as an Arrow C stream, in plain ctypes: what polars, pandas and pyarrow read without a copy of their own here.

The layout is the Arrow C data interface: a schema, an array for each column, a stream that hands out both. Whoever
takes one owns it and calls its `release`; until then what it points at is held in `_held`.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import (
    CFUNCTYPE,
    POINTER,
    PYFUNCTYPE,
    Structure,
    addressof,
    byref,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_void_p,
    cast,
    create_string_buffer,
    memmove,
    py_object,
    pythonapi,
    sizeof,
)
from itertools import accumulate, count
from typing import Any

Column = Sequence[int | None] | Sequence[float | None] | Sequence[str | None]
STREAM_NAME = b"arrow_array_stream"
NULLABLE = 2
MOST_INT = 2**63
"""Beyond it a column of whole numbers is one of floats."""
FORMATS = {int: b"l", float: b"g", str: b"u"}
"""Arrow's letters for 64-bit integers, 64-bit floats and UTF-8."""


class _Schema(Structure):
    """ArrowSchema."""


class _Array(Structure):
    """ArrowArray."""


class _Stream(Structure):
    """ArrowArrayStream."""


_ReleaseSchema = CFUNCTYPE(None, POINTER(_Schema))
_ReleaseArray = CFUNCTYPE(None, POINTER(_Array))
_ReleaseStream = CFUNCTYPE(None, POINTER(_Stream))
_GetSchema = CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))
_GetNext = CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))
_GetError = CFUNCTYPE(c_void_p, POINTER(_Stream))

_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", POINTER(_Schema)),
    ("release", _ReleaseSchema),
    ("private_data", c_void_p),
]
_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Array))),
    ("dictionary", POINTER(_Array)),
    ("release", _ReleaseArray),
    ("private_data", c_void_p),
]
_Stream._fields_ = [
    ("get_schema", _GetSchema),
    ("get_next", _GetNext),
    ("get_last_error", _GetError),
    ("release", _ReleaseStream),
    ("private_data", c_void_p),
]

_held: dict[int, tuple[Any, ...]] = {}
"""What each live structure points at, by the key in its `private_data`."""
_keys = count(1)


def _hold(*things: Any) -> int:
    key = next(_keys)
    _held[key] = things
    return key


def _let_go(given: Any) -> None:
    """Releases a schema or an array, and those of its children that nobody has moved away."""
    one = given.contents
    for child in range(one.n_children):
        if one.children[child].contents.release:
            one.children[child].contents.release(one.children[child])
    _held.pop(one.private_data, None)
    one.release = type(one.release)()


def _close(given: Any) -> None:
    _held.pop(given.contents.private_data, None)
    given.contents.release = _ReleaseStream()


_release_schema = _ReleaseSchema(_let_go)
_release_array = _ReleaseArray(_let_go)
_release_stream = _ReleaseStream(_close)


def _schema(name: str, form: bytes, children: Sequence[_Schema] = ()) -> _Schema:
    pointers = (POINTER(_Schema) * len(children))(*(POINTER(_Schema)(child) for child in children))
    name_bytes = name.encode()
    return _Schema(
        format=form,
        name=name_bytes,
        flags=NULLABLE,
        n_children=len(children),
        children=cast(pointers, POINTER(POINTER(_Schema))),
        release=_release_schema,
        private_data=_hold(form, name_bytes, pointers, children),
    )


def _array(length: int, nulls: int, buffers: Sequence[Any], children: Sequence[_Array] = ()) -> _Array:
    """`buffers` are ctypes arrays, or None where there is none."""
    places = (c_void_p * max(1, len(buffers)))(
        *(addressof(buffer) if buffer is not None else None for buffer in buffers)
    )
    pointers = (POINTER(_Array) * len(children))(*(POINTER(_Array)(child) for child in children))
    return _Array(
        length=length,
        null_count=nulls,
        n_buffers=len(buffers),
        n_children=len(children),
        buffers=cast(places, POINTER(c_void_p)),
        children=cast(pointers, POINTER(POINTER(_Array))),
        release=_release_array,
        private_data=_hold(places, buffers, pointers, children),
    )


def kind_of(values: Column) -> type:
    """The type of a column: whole numbers, numbers, or text; numbers where it is empty."""
    present = {type(value) for value in values if value is not None}
    if present == {int}:
        return int if all(-MOST_INT <= value < MOST_INT for value in values if isinstance(value, int)) else float
    return float if present <= {int, float} else str


def _column(values: Column) -> _Array:
    kind, length = kind_of(values), len(values)
    nulls = sum(value is None for value in values)
    bits = None
    if nulls:
        bits = create_string_buffer((length + 7) // 8)
        packed = bytearray(len(bits))
        for place, value in enumerate(values):
            packed[place >> 3] |= (value is not None) << (place & 7)
        bits.raw = bytes(packed)
    if kind is str:
        texts = [b"" if value is None else str(value).encode() for value in values]
        offsets = (c_int32 * (length + 1))(0, *accumulate(map(len, texts)))
        return _array(length, nulls, (bits, offsets, create_string_buffer(b"".join(texts))))
    numbers = [kind(value or 0) for value in values]
    cells = ((c_int64 if kind is int else c_double) * max(1, length))(*numbers)
    return _array(length, nulls, (bits, cells))


def _schema_of(columns: dict[str, Column]) -> _Schema:
    return _schema("", b"+s", [_schema(name, FORMATS[kind_of(values)]) for name, values in columns.items()])


def _batch_of(columns: dict[str, Column]) -> _Array:
    length = len(next(iter(columns.values()), ()))
    return _array(length, 0, (None,), [_column(values) for values in columns.values()])


def _give_schema(stream: Any, out: Any) -> int:
    (columns, _) = _held[stream.contents.private_data]
    memmove(out, byref(_schema_of(columns)), sizeof(_Schema))
    return 0


def _give_next(stream: Any, out: Any) -> int:
    """All rows at once; then, once more, an array without a `release`, which says that there are no more."""
    (columns, left) = _held[stream.contents.private_data]
    batch = _batch_of(columns) if left else _Array()
    left.clear()
    memmove(out, byref(batch), sizeof(_Array))
    return 0


def _no_error(stream: Any) -> None:
    """Nothing to say: what could go wrong went wrong before there was a stream."""


_get_schema = _GetSchema(_give_schema)
_get_next = _GetNext(_give_next)
_get_error = _GetError(_no_error)

_Destructor = PYFUNCTYPE(None, c_void_p)
_new_capsule = pythonapi.PyCapsule_New
_new_capsule.restype = py_object
_new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]
_pointer_in = pythonapi.PyCapsule_GetPointer
_pointer_in.restype = c_void_p
_pointer_in.argtypes = [c_void_p, c_char_p]


def _drop(capsule: int) -> None:
    """A capsule nobody has taken the stream of is released with it."""
    address = _pointer_in(capsule, STREAM_NAME)
    stream = cast(address, POINTER(_Stream))
    if stream.contents.release:
        stream.contents.release(stream)
    _streams.pop(address, None)


_drop_capsule = _Destructor(_drop)
_streams: dict[int, _Stream] = {}
"""The structures that live capsules point at."""


def stream_of(columns: dict[str, Column]) -> object:
    """A PyCapsule with an ArrowArrayStream of one batch; the columns are of equal length."""
    stream = _Stream(
        get_schema=_get_schema,
        get_next=_get_next,
        get_last_error=_get_error,
        release=_release_stream,
        private_data=_hold(columns, [True]),
    )
    _streams[addressof(stream)] = stream
    return _new_capsule(addressof(stream), STREAM_NAME, cast(_drop_capsule, c_void_p))
