"""Kinetree's engine: model text to compiled model, physics, and the scene as plain arrays. No Qt, no OpenGL.

Its public functions are those of `import kinetree`.
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine import (  # noqa: F401
        compile,
        diagnostics,
        document,
        extras,
        library,
        model,
        progress,
        run,
        scene,
        translation,
    )
else:
    __getattr__ = lazy_modules(__name__)
