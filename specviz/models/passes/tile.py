"""The one matrix product of the compiled pass: a few rows by weights in panels.

Weights lie as [outputs / LANES, inputs, LANES]. A tile keeps up to 12 rows by LANES outputs in registers and reads
each weight once. Every output is one chain of fused multiply-adds in the order of its inputs, whatever rows and lanes
it is computed with: a row's numbers are the same to the bit alone and among others, on any number of threads, at any
width.
"""

import os
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic

_KIND, _, _FEATURES = cpu_target.target_context.codegen().magic_tuple()
PROCESSOR = {*_FEATURES.split(",")}
"""What numba compiles for, such as +avx512f."""
HALVES = not _KIND.startswith(("x86", "i")) or {"+avx", "+f16c"} <= PROCESSOR
"""True if it widens float16, as all but old ones of x86 do. Where it does not, LLVM ends the process that asks."""
WIDE = "+avx512f" in PROCESSOR
"""True if it multiplies sixteen numbers at a time, and has thirty-two registers for them; others: eight and sixteen."""
LANES, ROWS = 16 if WIDE else 8, 12
"""Outputs of a panel; rows of the largest tile."""
STRIP = 4 * LANES
"""Outputs that a thread takes at a time."""
PANELS = {rows: 4 if rows < (7 if WIDE else 3) else 2 if WIDE or rows < 7 else 1 for rows in range(1, ROWS + 1)}
"""Panels that a tile of that many rows reads side by side: more keep the memory busier, and registers set the limit."""
SHORTER = 6
"""Rows of a tile where there are more than fit into the largest."""
AHEAD = 64
"""Inputs ahead of which weights are fetched, where fewer than four panels are read side by side."""
EXACT: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}
SUMS: dict[str, Any] = EXACT | {"forceinline": True, "fastmath": {"contract", "reassoc", "nsz", "nnan"}}
"""For sums whose order depends on nothing but their length. Inlined: the process that compiles would link a call to
another copy of the function than those that load numba's cache, with its lanes in another order."""
PATIENCE = 20_000
"""Looks at a counter before a waiting thread offers its core to others."""
_rest = types.ExternalFunction("SwitchToThread" if os.name == "nt" else "sched_yield", types.int32())
_I32, _I64, _F32 = ir.IntType(32), ir.IntType(64), ir.FloatType()
_VEC, _BYTES = ir.VectorType(_F32, LANES), ir.IntType(8).as_pointer()


@intrinsic
def _tile(typing, x, w, sides, out, row, rows, panel, panels, column, add):
    """`multiply` for at most ROWS rows."""

    def generate(context, b, signature, args):
        kinds = signature.args
        x_at, (x_row, _), _ = _array(context, b, kinds[0], args[0])
        w_at, (w_panel, w_step, _), (_, inputs, _) = _array(context, b, kinds[1], args[1])
        out_at, (out_row, _), _ = _array(context, b, kinds[3], args[3])
        row, rows, panel, panels, column, add = args[4:]
        fma = cgutils.get_or_insert_function(b.module, ir.FunctionType(_VEC, [_VEC] * 3), f"llvm.fma.v{LANES}f32")
        x_at, w_at = _at(b, x_at, row, x_row), _at(b, w_at, panel, w_panel)
        out_at = _at(b, _at(b, out_at, row, out_row), column, _I64(4))
        side_at, side_row = None, None
        if kinds[2] != types.none:
            side_at, (side_row, _), _ = _array(context, b, kinds[2], args[2])
            side_at = _at(b, side_at, panel, _I64(4 * LANES))
        end = b.append_basic_block("end")
        switch = b.switch(rows, end)
        for m, beside in PANELS.items():
            case = b.append_basic_block(f"rows{m}")
            switch.add_case(_I64(m), case)
            b.position_at_end(case)
            with cgutils.for_range_slice(b, _I64(0), panels, _I64(beside), inc=True) as (first, _):
                places = [b.add(first, _I64(p)) for p in range(beside)]
                starts = [_at(b, w_at, place, w_panel) for place in places]
                sums = _products(b, fma, x_at, x_row, m, starts, w_step, kinds[1].dtype, inputs)
                for i, totals in enumerate(sums):
                    for total, place in zip(totals, places, strict=True):
                        found = b.load(total)
                        if side_at is not None:
                            scale, bias = (
                                _vector(b, _at(b, _at(b, side_at, _I64(side), side_row), place, _I64(4 * LANES)))
                                for side in (0, 1)
                            )
                            found = b.call(fma, [found, scale, bias])
                        target = _at(b, _at(b, out_at, _I64(i), out_row), place, _I64(4 * LANES))
                        before = b.select(b.trunc(add, ir.IntType(1)), _vector(b, target), _VEC([0.0] * LANES))
                        b.store(b.fadd(before, found), b.bitcast(target, _VEC.as_pointer()), align=4)
            b.branch(end)
        b.position_at_end(end)
        return context.get_dummy_value()

    return types.void(x, w, sides, out, row, rows, panel, panels, column, add), generate


def _products(
    b: Any, fma: Any, x_at: Any, x_row: Any, m: int, starts: list[Any], w_step: Any, kind: Any, inputs: Any
) -> list[list[Any]]:
    """Where the sums of a tile are, by row and panel, after a loop over its inputs."""
    hint = ir.FunctionType(ir.VoidType(), [_BYTES, _I32, _I32, _I32])
    fetch = cgutils.get_or_insert_function(b.module, hint, "llvm.prefetch.p0")
    sums = [[cgutils.alloca_once_value(b, _VEC([0.0] * LANES)) for _ in starts] for _ in range(m)]
    with cgutils.for_range(b, inputs) as loop:
        weights = []
        for start in starts:
            address = _at(b, start, loop.index, w_step)
            if len(starts) < 4:
                b.call(fetch, [_at(b, address, _I64(AHEAD), w_step), _I32(0), _I32(3), _I32(1)])
            weights.append(_widened(b, address, kind))
        for i, totals in enumerate(sums):
            spread = _spread(b, _at(b, _at(b, x_at, _I64(i), x_row), loop.index, _I64(4)))
            for total, weight in zip(totals, weights, strict=True):
                b.store(b.call(fma, [spread, weight, b.load(total)]), total)
        tail = b.block
    tail.terminator.set_metadata("llvm.loop", _not_unrolled(b.module))
    return sums


def _array(context: Any, b: Any, kind: Any, value: Any) -> tuple[Any, list[Any], list[Any]]:
    """Where an array begins, its strides in bytes, and its shape."""
    array = context.make_array(kind)(context, b, value)
    strides, shape = (cgutils.unpack_tuple(b, each) for each in (array.strides, array.shape))
    return b.bitcast(array.data, _BYTES), strides, shape


def _at(b: Any, start: Any, index: Any, stride: Any) -> Any:
    return b.gep(start, [b.mul(index, stride)])


def _vector(b: Any, address: Any) -> Any:
    return b.load(b.bitcast(address, _VEC.as_pointer()), align=4)


def _spread(b: Any, address: Any) -> Any:
    """One number in every lane."""
    value = b.load(b.bitcast(address, _F32.as_pointer()))
    one = b.insert_element(ir.Constant(_VEC, ir.Undefined), value, _I32(0))
    return b.shuffle_vector(one, one, ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES))


def _not_unrolled(module: Any) -> Any:
    """Unrolled, these loops would spill registers."""
    rule = module.add_metadata([ir.MetaDataString(module, "llvm.loop.unroll.disable")])
    loop = module.add_metadata([rule, rule])
    loop.operands = [loop, rule]
    return loop


def _widened(b: Any, address: Any, kind: Any) -> Any:
    """LANES stored weights as float32: float32, int8, float16 (as int16) or bfloat16 (as uint16)."""
    if kind == types.float32:
        return _vector(b, address)
    if kind == types.int8:
        stored = b.load(b.bitcast(address, ir.VectorType(ir.IntType(8), LANES).as_pointer()), align=1)
        return b.sitofp(stored, _VEC)
    short = b.load(b.bitcast(address, ir.VectorType(ir.IntType(16), LANES).as_pointer()), align=2)
    if kind == types.int16:
        return b.fpext(b.bitcast(short, ir.VectorType(ir.HalfType(), LANES)), _VEC)
    wide = ir.VectorType(_I32, LANES)
    return b.bitcast(b.shl(b.zext(short, wide), wide([16] * LANES)), _VEC)


@njit(**EXACT)
def multiply(x, w, sides, out, panel, panels, column, add):
    """out[:, column:] = x @ w * scale + bias for so many panels of w, from `panel` on; added to what is there if `add`.

    Args:
        x: float32[n, inputs or more]. w: [outputs / LANES, inputs, LANES].
        sides: float32[2, outputs], scale and bias; None: 1 and 0.
    """
    n = len(x)
    tiles = -(-n // (ROWS if n <= ROWS else SHORTER))
    for tile in range(tiles):
        row = n * tile // tiles
        _tile(x, w, sides, out, row, n * (tile + 1) // tiles - row, panel, panels, column, add)


@intrinsic
def _add(typing, counters, index, amount):
    """Adds to int64 number `index` from that address on, atomically, and returns what was there. None: only looks."""

    def generate(context, b, signature, args):
        place = b.gep(b.inttoptr(args[0], _I64.as_pointer()), [args[1]])
        if signature.args[2] == types.none:
            return b.load_atomic(place, "acquire", 8)
        return b.atomic_rmw("add", place, args[2], "seq_cst")

    return types.int64(types.uintp, types.int64, types.none if amount == types.none else types.int64), generate


@njit(**EXACT)
def shares(counters, stage, count):
    """The numbers below count that this thread gets, one by one. At the end, waits for the threads that got others.

    A thread that comes late finds nothing left to do, and nothing waits for it.

    Args:
        counters: the address of two int64 a stage, all 0 before the pass. numba's generators never let go of an array.
    """
    got = _add(counters, 2 * stage, 1)
    while got < count:
        yield got
        _add(counters, 2 * stage + 1, 1)
        got = _add(counters, 2 * stage, 1)
    looks = 0
    while _add(counters, 2 * stage + 1, None) < count:
        looks += 1
        if looks > PATIENCE:
            _rest()


@njit(**EXACT)
def exp(x):
    """e^x to 2 units in the last place, in a form that goes by lanes: 2^n times a polynomial."""
    x = min(max(x, np.float32(-87.0)), np.float32(88.0))
    shifted = x * np.float32(1.44269504) + np.float32(12582912.0)  # n is in its lowest bits
    n = shifted - np.float32(12582912.0)
    r = x - n * np.float32(0.693359375) + n * np.float32(2.12194440e-4)
    p = np.float32(1.9875691500e-4) * r + np.float32(1.3981999507e-3)
    p = (p * r + np.float32(8.3334519073e-3)) * r + np.float32(4.1665795894e-2)
    p = (p * r + np.float32(1.6666665459e-1)) * r + np.float32(5.0000001201e-1)
    p = p * r * r + r + np.float32(1)
    return p * np.int32((np.float32(shifted).view(np.int32) + 127) << 23).view(np.float32)
