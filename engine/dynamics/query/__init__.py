"""Python functions over Model and Data, computed on request. Those of `import kinetree` are listed there."""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.dynamics.query import contact_force, jac, length_range  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
