"""Edits of a model as edits about its text: what panels, gizmos and tools do. No window needed."""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.editing import (  # noqa: F401
        context,
        keyframe,
        limit,
        numbers,
        orientation,
        pose,
        relocate,
        shelf,
        size,
        states,
        structure,
        tools,
    )
else:
    __getattr__ = lazy_modules(__name__)
