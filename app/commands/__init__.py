from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.commands import (  # noqa: F401
        arguments,
        common,
        completion,
        completion_scripts,
        named,
        parsers,
        window,
    )
else:
    __getattr__ = lazy_modules(__name__)
