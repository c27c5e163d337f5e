"""The tour of the window: five steps on a model of ours, offered at the first start.

    steps     the table of the steps: what the user is to do, and where
    watches   one class for each step: sees that the user did it, or does it
    tour      the state: which step is shown, and whether it is done
    places    where on the window a step points
    panels    the panels that steps need, put back afterwards
    pull      a body pulled by the program, as the mouse would
    mark      the small panel beside the place, and the highlight round it

The steps and their watches know nothing of the mark, which follows the signals of the tour.
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.tour import mark, places, tour  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
