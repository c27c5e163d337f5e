"""Machine code of one kernel: as a file in the cache, and loaded into this process with LLVM's linker."""

from __future__ import annotations

import functools
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import llvmlite.binding as llvm

from kinetree.engine.platforms.files import replace


@dataclass(frozen=True)
class ObjectCode:
    """Relocatable machine code.

    symbol  name of the kernel's function in the code
    result  type of its result: a word ("f8"), a list of them for a tuple, None where there is no result
    calls   names of the C functions that it calls, like sin
    code    the object file: ELF, Mach-O or COFF
    """

    symbol: str
    result: Any
    calls: list[str]
    code: bytes

    def write(self, path: Path) -> None:
        """Write a file: a line of JSON, then the code. Whoever reads it meanwhile finds the old one or the new one."""
        head = json.dumps({"symbol": self.symbol, "result": self.result, "calls": self.calls})
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(head.encode() + b"\n" + self.code)
        replace(name, path)

    @classmethod
    def read(cls, path: Path) -> ObjectCode | None:
        """Reads a written file; None if it is missing or damaged."""
        try:
            head, code = path.read_bytes().split(b"\n", 1)
            return cls(**json.loads(head), code=code)
        except (OSError, ValueError, TypeError):
            return None

    def load(self) -> int:
        """Link the code into this process; the address of the kernel. It stays until the process ends."""
        import llvmlite.binding as llvm

        engine = _engine()
        if any(llvm.address_of_symbol(name) is None for name in self.calls):
            _add_symbols_of_numba()
        engine.add_object_file(llvm.ObjectFileRef.from_data(self.code))
        engine.finalize_object()
        return engine.get_function_address(self.symbol)


@functools.cache
def _engine() -> llvm.ExecutionEngine:
    """LLVM's linker for this process."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


@functools.cache
def _add_symbols_of_numba() -> None:
    """Let code call numba's own C functions, where the system's library lacks one."""
    from kinetree.engine.jit.translation import add_symbols

    add_symbols()
