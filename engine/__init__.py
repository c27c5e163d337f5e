"""Kinetree's engine: model text to compiled model, physics, and the scene as plain arrays. No Qt, no OpenGL.

Its public functions are those of `import kinetree`.
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine import compile, diagnostics, document, model, progress, run, scene, translation  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
