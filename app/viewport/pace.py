"""How much of a picture is drawn, and how often, so that the window answers where drawing takes long.

Frames are drawn in the thread of the window: while one is drawn, no menu opens and no key is answered. Where frames
take longer than `LONGEST`, as with software OpenGL, they are drawn with less: with the effects of the preset
"performance" and without antialiasing, in a lower resolution, without shadows and reflections. Between slow frames the
window gets time for input. A graphics card that draws a frame in less gets every frame whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from kinetree.engine.translation import tr

LONGEST = 0.07  # where frames take longer, less is drawn, s
ROOM = 0.7  # a better picture is tried where it is expected to take less than this part of LONGEST
FAR = 3.0  # a frame that takes so many times LONGEST goes down two qualities, at once
CALM = 5  # frames of one quality before a better one is tried
SLOW = 0.03  # frames that take longer leave the window a pause before the next one, s
PAUSE, PAUSE_IN_MENU = 0.5, 2.0  # the pause, in times of a frame: usually, and while a menu or a dialog is open
LONGEST_PAUSE = 0.5  # s


@dataclass(frozen=True, slots=True)
class Quality:
    """Quality of a drawn picture.

    scale    side of the picture that is drawn, as a part of the side of the viewport
    smooth   with antialiasing and all effects that were chosen
    effects  with shadows and reflections
    better   about how many times as long the next better quality takes, as long as that was not measured
    """

    scale: float = 1.0
    smooth: bool = True
    effects: bool = True
    better: float = 1.0

    @property
    def text(self) -> str:
        """The reduction of the picture, as text; "" if there is none."""
        if not self.effects:
            return tr("Reduced: {scale:.0%}, no shadows or reflections", scale=self.scale)
        if self.scale < 1.0:
            return tr("Reduced: {scale:.0%}", scale=self.scale)
        return "" if self.smooth else tr("Reduced: few effects")


WHOLE = Quality()
QUALITIES = (
    WHOLE,
    Quality(smooth=False, better=2.0),
    Quality(0.5, smooth=False, better=3.0),
    Quality(0.5, smooth=False, effects=False, better=4.0),
    Quality(0.25, smooth=False, effects=False, better=2.0),
)
"""From the best on."""


class Pace:
    """Chooses the quality of the next frame by the time that the last ones took.

    level  index of the quality in `QUALITIES`
    """

    def __init__(self) -> None:
        self.level = 0
        self._frames = 0  # of this quality, since it was chosen
        self._last = 0.0  # time of the last frame, s
        self._left: tuple[int, float] | None = None  # the better quality that was left, and the time of its last frame
        self._ratios: dict[int, float] = {}  # quality -> how many times as long the next better one took

    @property
    def quality(self) -> Quality:
        """The quality of the next frame."""
        return QUALITIES[self.level]

    def forget(self) -> None:
        """Drop the measured times: another model is drawn."""
        self.level, self._frames, self._left = 0, 0, None
        self._ratios.clear()

    def took(self, seconds: float) -> None:
        """Note the time that a frame of this quality took. The first frame of a quality does not count: textures and
        programs are made for it. Nor does a single frame that is slow but not very slow: another program may have had
        the processor."""
        self._frames += 1
        before, self._last = self._last, seconds
        very_slow = seconds > FAR * LONGEST
        if self._frames < (2 if very_slow else 3):
            return
        calm = seconds if very_slow else min(seconds, before)
        if self._left is not None and self._left[0] == self.level - 1:
            self._ratios[self.level] = self._left[1] / calm
        self._left = None
        if calm > LONGEST and self.level < len(QUALITIES) - 1:
            self._left = self.level, calm
            self._choose(min(self.level + (2 if very_slow else 1), len(QUALITIES) - 1))
        elif self._frames > CALM and self.level > 0:
            if self._ratios.get(self.level, self.quality.better) * max(seconds, before) < ROOM * LONGEST:
                self._choose(self.level - 1)

    def _choose(self, level: int) -> None:
        self.level, self._frames = level, 0


def pause(seconds: float, in_menu: bool) -> float:
    """How long the window is left to input after a frame that took `seconds`, s."""
    if seconds <= SLOW:
        return 0.0
    return min((PAUSE_IN_MENU if in_menu else PAUSE) * seconds, LONGEST_PAUSE)
