"""The scene as numpy arrays: what a frame shows, from which camera, and what is under the cursor. No GL, no
Qt."""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.scene import (  # noqa: F401
        bounds,
        build,
        camera,
        contact_figures,
        decor,
        drag,
        effects,
        highlight,
        measure,
        options,
        pick,
        portrait,
        section,
        shapes,
        soft,
    )
else:
    __getattr__ = lazy_modules(__name__)
