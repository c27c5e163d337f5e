from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.run import (  # noqa: F401
        capture,
        companion,
        contact_tally,
        divergence,
        expression,
        history,
        matching,
        motion,
        noise,
        npz,
        options,
        past,
        perturb,
        playback,
        profiler,
        recorder,
        replay,
        signals,
        snapshot,
        stage_timer,
        timing,
        transfer,
        until,
        warmup,
    )
else:
    __getattr__ = lazy_modules(__name__)
