"""Models by name: `humanoid` or `unitree_g1` in place of a path.

    find("humanoid", folder)     the models that the name means (engine/library/find.py), best first
    names("uni", folder)         the names that begin so, for completion in shells

The sources are the example models, the files below a folder, and the packages `robot_descriptions` and
`mujoco-menagerie` where they are installed. Nothing here imports these packages or uses the network.
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.library import find, labels  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
