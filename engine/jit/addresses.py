"""Addresses inside compiled code: arrays at an address, fields of Data by their number, calls through an address.

Kernels name the fields they read (`data.qpos`). What chooses fields while the program runs (a reset, the recorder),
calls what was chosen while it runs (a stage, a pair function) or asks the system for the time uses these functions.
Nothing is checked: a wrong address or count reads or writes foreign memory.
"""

from __future__ import annotations

from kinetree.engine.jit.kernel import compiled_only


@compiled_only
def bytes_at(address, count):
    """The `count` bytes at an address, as an array that does not own them."""


@compiled_only
def words_at(address, count):
    """The 64-bit integers at an address, as an array that does not own them."""


@compiled_only
def doubles_at(address, count):
    """The doubles at an address, as an array that does not own them."""


@compiled_only
def floats_at(address, count):
    """The 32-bit floats at an address, as an array that does not own them."""


@compiled_only
def ints_at(address, count):
    """The 32-bit integers at an address, as an array that does not own them."""


@compiled_only
def field_address(data, slot):
    """Address of the array or cell in a row of `TABLES`; of a size, its value."""


@compiled_only
def field_length(data, slot):
    """Number of rows of an array with inner dimensions, else of entries."""


@compiled_only
def call_c(address, first, second):
    """Call the C function at an address with two 64-bit integers; it returns a 32-bit integer."""


@compiled_only
def address_of_task(task, model, data):
    """Address of the code of a kernel task(model, data, int64) -> None, which is compiled with the caller."""


@compiled_only
def address_of_table(table):
    """The address that a Model or a Data is in compiled code."""


@compiled_only
def call_task(address, model, data, k):
    """Call the task(model, data, k) at an address, where model and data are addresses too."""


@compiled_only
def load_word(address):
    """The 64-bit integer at an address that other threads write too; what they wrote before it is seen as well."""


@compiled_only
def store_word(address, value):
    """Set the 64-bit integer at an address; threads that see it also see all that was written before."""


@compiled_only
def add_word(address, value):
    """Add to the 64-bit integer at an address, in one step; what was there before."""


@compiled_only
def swap_word(address, old, new):
    """Set the 64-bit integer at an address to `new` if it is `old`, in one step; whether it was."""


@compiled_only
def relax():
    """Tell the processor that this thread waits in a loop."""


@compiled_only
def call_stage(address, model, data):
    """Call the stage(model, data) -> None at an address."""


@compiled_only
def call_int(address, arguments):
    """Call the function at an address with a tuple of arguments; it returns an int64.

    The types in the tuple must be those that its address was asked for with.
    """
