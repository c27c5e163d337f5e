"""Scenes drawn with OpenGL 4.1: into a window's context or without a window."""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.renderer import captured, frame, offscreen, rehearsal  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
