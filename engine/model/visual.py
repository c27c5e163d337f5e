"""Visual settings of a model: `model.vis.map.zfar`, `model.vis.rgba.fog` ..."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from kinetree.engine.model.arguments import meant, number, numbers, whole


class Visual(SimpleNamespace):
    """model.vis, and each of its sections. Settings may be changed; names that it does not have are refused, and so are
    values of another kind or shape.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__:
            raise AttributeError(f"there is no visual setting {name!r}{meant(name, self.__dict__)}")
        old = self.__dict__[name]
        if isinstance(old, Visual):
            raise AttributeError(f"{name} is a section of visual settings: set its parts")
        if isinstance(old, np.ndarray):
            old[...] = numbers(value, old.shape, name)
        elif isinstance(old, int):
            self.__dict__[name] = int(value) if isinstance(value, bool) else whole(value, name, -(2**31), 2**31 - 1)
        else:
            self.__dict__[name] = number(value, name)
