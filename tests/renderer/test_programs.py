"""Compiled programs: those that no frame uses any more are deleted."""

from kinetree.renderer import context as gl
from kinetree.renderer.shader import KEPT_FRAMES, MOST_PROGRAMS, Programs


def test_programs_that_no_frame_uses_go_where_there_are_many():
    context = gl.headless()
    with context:
        programs = Programs(context)
        names = [("screen.vert", "enlarge.frag", (f"NUMBER {number}",)) for number in range(MOST_PROGRAMS + 6)]
        made = [programs.get(*each) for each in names]
        for _ in range(KEPT_FRAMES):
            programs.begin_frame()
            assert programs.get(*names[0]) is made[0]
        assert [programs.get(*each) for each in names[1:4]] == made[1:4]  # none has gone yet
        programs.begin_frame()
        same = [programs.get(*each) is before for each, before in zip(names[:12], made, strict=False)]
        assert same == [True] * 4 + [False] * 6 + [True] * 2
        assert "size" in programs.get(*names[4])
        programs.release()
    context.release()
