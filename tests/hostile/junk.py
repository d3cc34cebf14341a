"""Values and arrays that nobody should pass, as Hypothesis strategies."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

DTYPES = ("?", "i1", "u1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8", "<u8", ">u8", "f2", "<f8", ">f8", "c16", "U3", "S2",
          "M8[s]", "m8[s]", "O")  # fmt: skip


def deep(depth: int) -> Any:
    """Lists in lists."""
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


class Unshowable:
    """Even its `repr` fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


numbers = st.one_of(
    st.integers(-3, 130),
    st.integers(),
    st.sampled_from([2**31, 2**32, 2**62, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 10**30]),
    st.sampled_from([4299, 5000]).map(lambda digits: 10**digits),
    st.floats(),
)
scalars = st.one_of(
    st.none(), st.booleans(), numbers, st.text(max_size=5), st.binary(max_size=4), st.complex_numbers(),
    st.sampled_from(["T1", "pass", "\ud800", "\0", np.int8(3), np.float32(1.5), np.True_, ..., int, object()]),
    st.just(10_000).map(lambda length: "x" * length),
    st.builds(Unshowable),
)  # fmt: skip
values = st.one_of(
    scalars,
    st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.lists(inner, max_size=5),
            st.tuples(inner),
            st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3),
        ),
        max_leaves=8,
    ),
    st.sampled_from([60, 990, 100_000]).map(deep),
)


@st.composite
def arrays(draw: st.DrawFn, length: int = 4) -> np.ndarray:
    """Arrays of any type, shape and memory layout; often of the right length."""
    kind = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = draw(
        st.one_of(st.just((length,)), st.just(()), npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6))
    )
    if kind.kind == "O":
        elements: Any = st.one_of(st.integers(-2, 130), st.none(), st.text(max_size=2))
    elif kind.kind in "iu":
        limits = np.iinfo(kind)
        elements = st.one_of(st.integers(max(-2, int(limits.min)), 125), st.integers(int(limits.min), int(limits.max)))
    else:
        elements = None
    array = draw(npst.arrays(kind, shape, elements=elements))
    return laid_out(array, draw(st.sampled_from(LAYOUTS)))


LAYOUTS = ("plain", "read-only", "strided", "Fortran", "reversed", "unaligned", "matrix", "memory view")


def laid_out(array: np.ndarray, layout: str) -> Any:
    """The same values in another memory layout."""
    if layout == "read-only":
        array = array.copy()
        array.flags.writeable = False
    elif layout == "strided" and array.ndim:
        array = np.repeat(array, 2, axis=0)[::2]
    elif layout == "Fortran":
        array = np.asfortranarray(array)
    elif layout == "reversed" and array.ndim:
        array = array[::-1].copy()[::-1]
    elif layout == "unaligned" and array.dtype.kind not in "OUSV" and array.itemsize > 1:
        buffer = np.zeros(array.nbytes + 1, np.uint8)
        shifted = buffer[1:].view(array.dtype).reshape(array.shape)
        shifted[...] = array
        array = shifted
    elif layout == "memory view" and array.dtype.kind in "iuf" and array.dtype.isnative:
        return memoryview(np.ascontiguousarray(array)).toreadonly()
    return array


anything = st.one_of(values, arrays())
