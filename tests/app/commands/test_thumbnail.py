"""`kinetree thumbnail`: a picture within the limits, else a card."""

import io
import os
import subprocess
import sys

import pytest
from PIL import Image

from kinetree.app.commands import thumbnail
from kinetree.app.commands.parsers import command_parser
from kinetree.app.pictures import card
from kinetree.app.pictures import thumbnail as process
from kinetree.app.terminal import UsageError
from tests.conftest import ROOT

linux = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits for a process")


def made(path, out, *more):
    """Run the command in this process; the picture."""
    assert thumbnail.run(command_parser("thumbnail").parse_args([str(path), str(out), *more])) == 0
    return Image.open(io.BytesIO(out.read_bytes()))


def confined(code, *arguments):
    """Run code in a process whose limits are those of the drawing process, but for the time."""
    begin = f"from kinetree.engine.platforms.confinement import confine; confine({process.MEMORY}, 100.0)\n"
    return subprocess.run(
        [sys.executable, "-P", "-c", begin + code, *map(str, arguments)],
        env={**process.environment(), "PYTHONPATH": str(ROOT)}, capture_output=True, check=False,
    )  # fmt: skip


def test_a_model_is_drawn_within_the_memory_and_writes_nothing(model_file, tmp_path):
    """Without the limit of time, which a busy machine reaches. The model fills the picture."""
    code = (
        "import sys; from kinetree.app.pictures.cutout import png; sys.stdout.buffer.write(png(sys.argv[1], 128));"
        "assert 'numba' not in sys.modules"
    )
    before = sorted(tmp_path.iterdir())
    done = confined(code, model_file)
    assert done.returncode == 0, done.stderr
    picture = Image.open(io.BytesIO(done.stdout))
    assert picture.size == (128, 128) and sorted(tmp_path.iterdir()) == before
    left, top, right, bottom = picture.getchannel("A").point(lambda alpha: 255 * (alpha > 8)).getbbox()
    assert max(right - left, bottom - top) >= 0.8 * 128
    assert abs(left + right - 128) <= 4 and abs(top + bottom - 128) <= 4


@linux
def test_the_drawing_process_is_confined(tmp_path):
    assert b"MemoryError" in confined("bytearray(400_000_000)").stderr
    written = tmp_path / "written"
    done = confined("import sys; file = open(sys.argv[1], 'wb'); file.write(b'x'); file.flush()", written)
    assert b"File too large" in done.stderr and written.stat().st_size == 0
    begin = "from kinetree.engine.platforms.confinement import confine; confine(10**9, 0.3)\nwhile True: pass"
    assert subprocess.run([sys.executable, "-c", begin], env={**os.environ, "PYTHONPATH": str(ROOT)}).returncode < 0


@pytest.mark.parametrize("text", ["<mujoco><worldbody><geom/></worldbody></mujoco>", "<mujoco", "", "<mujoco/>"])
def test_what_cannot_be_drawn_gets_its_card(tmp_path, text):
    path, out = tmp_path / "broken.xml", tmp_path / "out.png"
    path.write_text(text)
    picture = made(path, out, "-s", "64")
    expected = Image.open(io.BytesIO(card.png(card.summary(str(path)), 64)))
    assert picture.tobytes() == expected.tobytes()


def test_a_process_that_takes_too_long_is_ended(model_file, tmp_path, monkeypatch):
    monkeypatch.setattr(thumbnail, "SECONDS", 0.7)
    monkeypatch.setattr(thumbnail, "command", lambda *_: [sys.executable, "-c", "import time; time.sleep(1000)"])
    assert made(model_file, tmp_path / "out.png", "-s", "64").size == (64, 64)


def test_addresses_and_mistakes(model_file, tmp_path, capsys, monkeypatch):
    assert thumbnail.path_of("file:///tmp/a%20b%ff.xml") == os.fsdecode(b"/tmp/a b\xff.xml")
    assert thumbnail.path_of("a%20b.xml") == "a%20b.xml"
    parse = command_parser("thumbnail").parse_args
    for size in ("0", "x", "-3", "5000"):
        with pytest.raises(UsageError):
            thumbnail.run(parse([str(model_file), "out.png", f"--size={size}"]))
    out = tmp_path / "out.png"
    assert thumbnail.run(parse([str(tmp_path / "missing.xml"), str(out)])) == 1 and not out.exists()
    monkeypatch.setattr(thumbnail, "_drawn", lambda *_: b"")
    assert thumbnail.run(parse([str(model_file), str(tmp_path / "no" / "out.png")])) == 1
    assert "missing.xml" in capsys.readouterr().err
