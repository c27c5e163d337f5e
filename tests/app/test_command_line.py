"""The command line as a shell sees it: texts, exit codes, one line for a mistake and never a traceback."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import kinetree
from kinetree.app.commands import register
from kinetree.app.commands.parsers import command_parser
from kinetree.app.commands.register import quoted
from kinetree.app.commands.render import size_of
from kinetree.app.terminal import UsageError
from kinetree.engine.diagnostics import SHOWN
from kinetree.engine.dynamics.forward import STEP
from tests.app.conftest import FLAWED, MODEL, wait_for
from tests.patience import LIMIT

ROOT = Path(__file__).resolve().parents[2]


def run_kinetree(*arguments, cwd=ROOT, timeout=280, **environment):
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    env = {key: value for key, value in env.items() if value is not None}
    done = subprocess.run(
        [sys.executable, "-m", "kinetree", *map(str, arguments)],
        cwd=cwd, env=env, capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done


def refused(done, *words):
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("kinetree: ") and done.stderr.count("\n") == 1, done.stderr
    for word in words:
        assert word in done.stderr
    return True


def test_version_and_help():
    assert run_kinetree("--version").stdout == f"kinetree {kinetree.__version__}\n"
    text = run_kinetree("--help").stdout
    for word in ("render", "check", "bench", "convert", "register", "--version"):
        assert word in text
    assert "--camera" in run_kinetree("render", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--nonsense"], "--nonsense"),
        (["frobnicate", "x.xml"], "frobnicate"),
        (["render"], "required"),
        (["render", "x.xml"], "--output"),
        (["render", "x.xml", "-o", "x.png", "--size", "big"], "big"),
        (["render", "x.xml", "-o", "x.png", "--size", "0x9"], "0x9"),
        (["render", "x.xml", "-o", "x.png", "--time", "soon"], "soon"),
        (["render", "x.xml", "-o", "x.png", "--time", "nan"], "nan"),
        (["--goto", "missing.xml"], "must be FILE:LINE"),
        (["rendr", "a.xml"], "no model 'rendr'; did you mean 'render'"),
        (["rendr"], "no command, no file and no model 'rendr'"),
        (["a.xml", "--sped", "2"], "unknown option '--sped'"),
        (["a.xml", "--seed", "x"], "must be an integer"),
        (["check"], "MODEL"),
        (["bench", "x.xml", "--seconds", "x"], "seconds"),
        (["convert", "a.urdf"], "OUT"),
        (["convert", "a.urdf", "b.stl"], ".xml"),
        (["convert", "a.urdf", "b"], "extension"),
    ],
)
def test_mistakes_in_arguments_are_one_line(arguments, word):
    assert refused(run_kinetree(*arguments), word)


def test_without_a_display_one_line_names_the_other_way():
    done = run_kinetree("some model.xml", DISPLAY=None, WAYLAND_DISPLAY=None)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "no display" in done.stderr and "kinetree render" in done.stderr
    done = run_kinetree(DISPLAY=":4711", WAYLAND_DISPLAY=None)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "kinetree render" in done.stderr


def test_it_is_called_as_the_user_called_it():
    typed = {"KINETREE_COMMAND": "./run", "DISPLAY": None, "WAYLAND_DISPLAY": None}
    assert "`./run render 'some model.xml' -o picture.png`" in run_kinetree("some model.xml", **typed).stderr
    assert "(see ./run render --help)" in run_kinetree("render", **typed).stderr
    assert "(see ./run check --help)" in run_kinetree("check", **typed).stderr
    assert "see ./run check --list" in run_kinetree("check", "--explain", "zzz", **typed).stderr
    assert run_kinetree("--help", **typed).stdout.startswith("usage: ./run ")
    assert "KINETREE_COMMAND=$0" in (ROOT / "run").read_text()


def test_check(tmp_path, model_file):
    done = run_kinetree("check", model_file)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco>\n  <worldbody>\n    <geom sise='1'/>\n  </worldbody>\n</mujoco>\n")
    done = run_kinetree("check", model_file, bad, tmp_path / "missing.xml")
    assert done.returncode == 1 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{bad}:3:11: error: ") and lines[0].endswith("]") and "sise" in lines[0]
    assert lines[-1].startswith(f"{tmp_path / 'missing.xml'}:1:1: error: ")


def test_check_in_a_plain_locale(tmp_path):
    bad = tmp_path / "ü.xml"
    bad.write_text("<mujoco><ünknown/></mujoco>", encoding="utf-8")
    done = run_kinetree("check", bad, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 1 and "error" in done.stdout


def test_a_closed_pipe_is_no_error(tmp_path):
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco>" + "<nope/>" * 20000 + "</mujoco>")
    line = f"{sys.executable} -m kinetree check {bad} | head -1"
    done = subprocess.run(line, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.stderr == "" and done.stdout.count("\n") == 1


def test_render(tmp_path, model_file, rig):
    from PIL import Image

    pictures = []
    for i, more in enumerate(
        (
            [],
            ["--camera", "front"],
            ["--camera", "0", "--key", "up"],
            ["--time", "0.5"],
            ["--tonemap", "aces"],
            ["--exposure", "-1.5"],
        )
    ):
        path = tmp_path / f"{i}.png"
        done = run_kinetree("render", model_file, "-o", path, "--size", "160x100", *more)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr
        picture = Image.open(path)
        assert picture.size == (160, 100)
        pictures.append(picture.tobytes())
    assert len(set(pictures)) == 6
    assert sum(pictures[5]) < 0.7 * sum(pictures[0])


def test_render_says_what_is_wrong(tmp_path, model_file):
    out = tmp_path / "out.png"
    assert refused(run_kinetree("render", model_file, "-o", out, "--camera", "nowhere"), "nowhere", "front, above")
    assert refused(run_kinetree("render", model_file, "-o", out, "--key", "nowhere"), "nowhere", "up")
    assert refused(run_kinetree("render", model_file, "-o", out, "--tonemap", "filmic"), "filmic", "knee, none")
    assert refused(run_kinetree("render", model_file, "-o", out, "--exposure", "bright"), "bright", "number")
    assert refused(run_kinetree("render", model_file, "-o", out, "--exposure", "nan"), "between -16 and 16")
    done = run_kinetree("render", tmp_path / "missing.xml", "-o", out)
    assert done.returncode == 1 and done.stderr.startswith(f"{tmp_path / 'missing.xml'}:1:1: error: ")
    done = run_kinetree("render", model_file, "-o", tmp_path / "no" / "such" / "out.png")
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "does not exist" in done.stderr
    assert not out.exists()


def test_convert(tmp_path, model_file):
    out = tmp_path / "deep" / "out.xml"
    done = run_kinetree("convert", model_file, out)
    assert done.returncode == 1 and "does not exist" in done.stderr and done.stderr.count("\n") == 1
    out.parent.mkdir()
    done = run_kinetree("convert", model_file, out)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert kinetree.load(out).names == kinetree.load(model_file).names
    assert out.read_text().startswith('<mujoco model="rig">\n  <compiler angle="degree"/>\n')
    out.write_text("mine")
    done = run_kinetree("convert", model_file, out)
    assert done.returncode == 1 and "--force" in done.stderr and out.read_text() == "mine"
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco><nope/></mujoco>")
    done = run_kinetree("convert", bad, out, "--force")
    assert done.returncode == 1 and done.stderr.startswith(f"{bad}:1:") and out.read_text() == "mine"
    assert run_kinetree("convert", model_file, out, "--force").returncode == 0
    assert kinetree.load(out).nbody == kinetree.load(model_file).nbody and os.listdir(out.parent) == ["out.xml"]
    done = run_kinetree("convert", model_file, out.parent)
    assert done.returncode == 2 and "extension" in done.stderr


def test_convert_to_a_binary_and_check_it(tmp_path, model_file):
    out = tmp_path / "rig.kmodel"
    assert run_kinetree("convert", model_file, out).returncode == 0
    assert kinetree.load(out).names == kinetree.load(model_file).names
    assert run_kinetree("check", out).returncode == 0
    done = run_kinetree("convert", out, tmp_path / "back.xml")
    assert done.returncode == 1 and "binary" in done.stderr and not (tmp_path / "back.xml").exists()
    out.write_bytes(out.read_bytes()[:-9])
    done = run_kinetree("check", out)
    assert done.returncode == 1 and "damaged" in done.stdout


def test_convert_urdf(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(
        '<robot name="two"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
        'iyz="0"/></inertial></link><link name="b"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" '
        'ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>'
    )
    done = run_kinetree("convert", path, tmp_path / "robot.xml")
    assert done.returncode == 0, done.stderr
    model = kinetree.load(tmp_path / "robot.xml")
    assert model.names["joint"] == ["j"] and model.jnt_range.tolist() == [[-1, 1]]


def test_bench(model_file, rig):
    done = run_kinetree("bench", model_file, "--seconds", "0.1")
    assert done.returncode == 0, done.stderr
    assert "steps/s" in done.stdout and re.search(r"[0-9.]+ +\([0-9]+\)  solver iterations", done.stdout)
    rows = re.findall(r"^ +([0-9.-]+) % +([0-9.-]+) us  (.+)$", done.stdout, re.MULTILINE)
    stages = {name for _, _, name in rows if not name.endswith("stages")}
    assert stages and stages <= {row.name for row in STEP}
    step = float(re.search(r"time in a step, ([0-9.]+) us:", done.stdout)[1])
    assert sum(float(percent) for percent, _, _ in rows) == pytest.approx(100, abs=0.05 * len(rows))
    assert sum(float(time) for _, time, _ in rows) == pytest.approx(step, abs=0.05 + 0.005 * len(rows))


DIVERGING = """<mujoco><option timestep="0.05"/><worldbody><body><joint name="hinge" axis="0 1 0" stiffness="1e5"/>
 <geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body></worldbody></mujoco>"""


def test_divergence_is_told_on_stderr(tmp_path):
    model = tmp_path / "stiff.xml"
    model.write_text(DIVERGING)
    out = tmp_path / "out.png"
    for done in (
        run_kinetree("render", model, "-o", out, "--time", "3", "--size", "64x64"),
        run_kinetree("bench", model, "--seconds", "0.05"),
    ):
        assert done.returncode == 1 and done.stderr.count("\n") == 2
        for word in (
            "diverged",
            'joint "hinge"',
            "first at 0.",
            "timestep below",
            "docs/divergence.md",
            "reset",
        ):
            assert word in done.stderr
    assert out.exists()
    model.write_text(DIVERGING.replace('"0.05"', '"0.002"'))
    done = run_kinetree("render", model, "-o", out, "--time", "3", "--size", "64x64")
    assert (done.returncode, done.stderr) == (0, "")


def test_pictures_have_the_format_of_their_name(tmp_path, model_file):
    from PIL import Image

    for name, kind in (("a.png", "PNG"), ("a.jpg", "JPEG"), ("a.JPEG", "JPEG"), ("a.webp", "WEBP")):
        done = run_kinetree("render", model_file, "-o", tmp_path / name, "--size", "64x48")
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        with Image.open(tmp_path / name) as picture:
            assert (picture.format, picture.size) == (kind, (64, 48))
    for name in ("a.tiff", "a", "png"):
        assert refused(run_kinetree("render", model_file, "-o", tmp_path / name), name, ".png", ".webp")
        assert not (tmp_path / name).exists()
    assert refused(run_kinetree("render", model_file, "-o", tmp_path / "a.webp", "--size", "16384x8"), "WEBP", "16383")


def test_render_makes_videos_and_measurements(tmp_path, model_file, rig):
    import imageio_ffmpeg
    import numpy as np
    from PIL import Image

    out = tmp_path / "out.mp4"
    done = run_kinetree("render", model_file, "-o", out, "--size", "64x48", "--duration", "0.5", "--fps", "20")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert imageio_ffmpeg.count_frames_and_secs(str(out)) == (10, 0.5)
    out = tmp_path / "turn.gif"
    more = ["--size", "64x48", "--duration", "0.2", "--fps", "25", "--speed", "0", "--turn", "360"]
    assert run_kinetree("render", model_file, "-o", out, *more).returncode == 0
    with Image.open(out) as picture:
        assert picture.n_frames == 5
    out = tmp_path / "depth.npy"
    more = ["--size", "64x48", "--camera", "front", "--content", "depth"]
    assert run_kinetree("render", model_file, "-o", out, *more).returncode == 0
    depth = np.load(out)
    assert depth.shape == (48, 64) and 2.85 < depth[24, 32] < 2.95
    out = tmp_path / "seg.png"
    more = ["--size", "64x48", "--camera", "front", "--content", "segmentation"]
    assert run_kinetree("render", model_file, "-o", out, *more).returncode == 0
    assert "geom,1,hub\n" in (tmp_path / "seg.csv").read_text()
    for arguments, word in (
        (["-o", "a.gif", "--fps", "30"], "50, 25"),
        (["-o", "a.mp4", "--content", "depth"], "a video cannot be depth"),
        (["-o", "a.mp4", "--transparent"], "a video cannot be transparent"),
        (["-o", "a.jpg", "--transparent"], "JPEG cannot be transparent"),
        (["-o", "a.png", "--content", "heat"], "heat"),
        (["-o", "a.png", "--samples", "0"], "--samples"),
        (["-o", "a.mp4", "--speed", "-1"], "--speed"),
        (["-o", "a.mp4", "--duration", "x"], "--duration"),
    ):
        assert refused(run_kinetree("render", model_file, *arguments), word)


def _takes_interrupts() -> None:
    """A suite that runs in the background of a shell ignores SIGINT, and what it starts would too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_long_render_can_be_interrupted(tmp_path, model_file, rig):
    out, marks = tmp_path / "out.png", tmp_path / "marks"
    with subprocess.Popen(
        [sys.executable, "-m", "kinetree", "render", model_file, "-o", out, "--time", "900000"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "KINETREE_MARKS": str(marks)},
        stderr=subprocess.PIPE, text=True, preexec_fn=_takes_interrupts,
    ) as process:  # fmt: skip
        try:
            wait_for(lambda: process.poll() is not None or (marks.exists() and "physics" in marks.read_text()))
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=LIMIT)
        finally:
            process.kill()
    assert process.returncode == 130 and errors == ""
    assert not out.exists()


def test_a_long_render_shows_its_progress_on_a_terminal(tmp_path, model_file, rig):
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kinetree", "render", model_file, "-o", tmp_path / "out.png", "--time", "900000"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=theirs, preexec_fn=_takes_interrupts,
    )  # fmt: skip
    os.close(theirs)
    try:
        shown = b""
        while b"left" not in shown:
            shown += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) == 130
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert re.search(rb"render: \d+ % of [0-9,]+ steps simulated, \d+ s left \(Ctrl\+C stops\)", shown)


def test_register_and_undo(tmp_path):
    home = {
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "HOME": str(tmp_path),
    }
    done = run_kinetree("register", **home)
    assert done.returncode == 0, done.stderr
    desktop = tmp_path / "data" / "applications" / "kinetree.desktop"
    text = desktop.read_text()
    assert "@" not in text and f"Exec={quoted(str(ROOT / 'run'))} %F" in text
    assert f"Exec={quoted(str(ROOT / 'run'))} --new-window" in text
    thumbnailer = tmp_path / "data" / "thumbnailers" / "kinetree.thumbnailer"
    assert f"Exec={quoted(sys.executable)} -P -m kinetree thumbnail -s %s %i %o" in thumbnailer.read_text()
    assert f"TryExec={sys.executable}\n" in thumbnailer.read_text()
    mime = tmp_path / "data" / "mime" / "packages" / "kinetree.xml"
    icon = tmp_path / "data" / "icons" / "hicolor" / "scalable" / "apps" / "kinetree.svg"
    assert mime.exists() and icon.exists()
    if shutil.which("desktop-file-validate"):
        assert subprocess.run(["desktop-file-validate", str(desktop)], check=False).returncode == 0
    assert run_kinetree("register", **home).returncode == 0
    done = run_kinetree("register", "--undo", **home)
    assert done.returncode == 0 and str(desktop) in done.stdout
    assert not desktop.exists() and not mime.exists() and not icon.exists() and not thumbnailer.exists()
    assert "nothing was installed" in run_kinetree("register", "--undo", **home).stdout


def test_register_where_nothing_can_be_written(tmp_path):
    (tmp_path / "data").write_text("a file where a folder should be")
    done = run_kinetree("register", XDG_DATA_HOME=str(tmp_path / "data"))
    assert done.returncode == 1 and done.stderr.startswith("kinetree: ") and done.stderr.count("\n") == 1


def test_the_program_that_the_desktop_starts(monkeypatch, tmp_path):
    """An environment with its scripts, one without, and an archive, whose interpreter is elsewhere."""
    monkeypatch.setattr(register, "packaged", lambda *_: tmp_path / "site-packages" / "kinetree")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv" / "python"))
    monkeypatch.delenv("KINETREE_COMMAND", raising=False)
    assert register.launcher()[0] == register.headless_launcher()[0] == sys.executable
    for folder in ("venv", "archive"):
        (tmp_path / folder).mkdir()
        program = tmp_path / folder / "kinetree"
        program.touch()
        assert register.launcher() == register.headless_launcher() == [str(program)]
        program.with_name("kinetree-gui").touch()
        assert register.launcher() == [f"{program}-gui"] and register.headless_launcher() == [str(program)]
        monkeypatch.setenv("KINETREE_COMMAND", str(tmp_path / "archive" / "kinetree"))
    monkeypatch.setenv("KINETREE_COMMAND", "./kinetree")  # as a user typed it
    assert register.headless_launcher() == [str(tmp_path / "venv" / "kinetree")]


def test_a_package_of_the_system_has_registered_already(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(register, "packaged", lambda *_: Path("/usr/lib/kinetree/site-packages/kinetree"))
    assert register.run(command_parser("register").parse_args([])) == 0
    assert "for all users" in capsys.readouterr().out and not list(tmp_path.iterdir())
    assert not register.is_of_the_system(Path("/usr/local/lib/python3.11/site-packages/kinetree"))
    assert not register.is_of_the_system(Path("/home/a/usr/kinetree"))


def test_words_of_a_desktop_entry_are_quoted():
    assert quoted("/opt/kinetree/run") == "/opt/kinetree/run"
    assert quoted("/opt/my models/run") == '"/opt/my models/run"'
    assert quoted("/a%b") == "/a%%b"
    assert quoted('/a"$b') == r'"/a\\"\\$b"'


def test_sizes():
    assert size_of("1280x800") == (1280, 800)
    for text in ("", "12", "1x", "-1x5", "99999x5", "1.5x2"):
        with pytest.raises(UsageError):
            size_of(text)


def test_commands_without_a_window_load_no_qt(model_file):
    program = (
        "import sys; from kinetree.app.main import main; main(['check', sys.argv[1]]); "
        "print([m for m in sys.modules if m.startswith(('PySide6', 'moderngl'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(model_file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


@pytest.mark.parametrize("content", [MODEL, "<mujoco><nope/></mujoco>", None])
def test_the_window_starts_and_ends_in_order(tmp_path, content, rig):
    """The whole program, on a good model, a bad one and a missing one, ended by a signal as by a session's end."""
    path = tmp_path / "model.xml"
    if content is not None:
        path.write_text(content)
    marks = tmp_path / "marks"
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "KINETREE_CONFIG": str(tmp_path / "config"),
        "KINETREE_MARKS": str(marks),
        "PYTHONFAULTHANDLER": "1",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "kinetree", str(path)], cwd=ROOT, env=env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        moves = content == MODEL

        def reached() -> bool:
            return marks.exists() and "physics" in marks.read_text()

        if moves:
            with contextlib.suppress(AssertionError):
                wait_for(lambda: process.poll() is not None or reached())
        else:
            time.sleep(5)  # it tells nobody that it shows what is wrong
        if moves and not reached():
            process.send_signal(signal.SIGABRT)  # ends it with a dump of the stacks of its threads
        process.terminate()
        out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0 and out == "" and err == "", (process.returncode, out, err)
    if content == MODEL:
        names = [line.split()[0] for line in marks.read_text().splitlines()]
        assert names[0] == "first-frame" and "physics" in names


def test_check_finds_what_compiles_and_is_wrong(tmp_path):
    import json

    path = tmp_path / "model.xml"
    path.write_text(FLAWED)
    done = run_kinetree("check", path)
    assert done.returncode == 0 and done.stderr == ""
    first, second = done.stdout.splitlines()
    assert first.startswith(f"{path}:2:11: info: ") and first.endswith("[unused-asset]")
    assert second.startswith(f"{path}:5:37: warning: ") and second.endswith("[overlap-at-rest]")
    assert run_kinetree("check", "--strict", path).returncode == 1
    assert run_kinetree("check", "--strict", "--disable", "overlap-at-rest", path).stdout.count("\n") == 1
    assert run_kinetree("check", "--disable", "overlap-at-rest,unused-asset", path).stdout == ""
    assert "unused" not in run_kinetree("check", "--enable", "overlap-at-rest", path).stdout
    assert "unused" not in run_kinetree("check", "--disable", "all", "--enable", "overlap-at-rest", path).stdout
    items = [json.loads(line) for line in run_kinetree("check", "--json", path).stdout.splitlines()]
    assert [item["code"] for item in items] == ["unused-asset", "overlap-at-rest"]
    assert items[1]["line"] == 5 and items[1]["column"] == 37 and items[1]["severity"] == "warning"
    path.write_text(FLAWED.replace("<worldbody>", "<worldboddy>"))
    done = run_kinetree("check", "--enable", "overlap-at-rest", path)
    assert done.returncode == 1 and "worldboddy" in done.stdout


def test_check_explains():
    listed = run_kinetree("check", "--list").stdout
    assert "overlap-at-rest" in listed and "missing-file" in listed
    assert "qpos0" in run_kinetree("check", "--explain", "overlap-at-rest").stdout
    assert (
        run_kinetree("check", "--explain", "overlap-at-rest").stdout in run_kinetree("check", "--list", "--long").stdout
    )
    assert refused(run_kinetree("check", "--explain", "overlap"), "overlap-at-rest")
    assert refused(run_kinetree("check", "--disable", "nonsense", "x.xml"), "nonsense")


def _catches(pid: int, number: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    return bool(int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16) >> (number - 1) & 1)


@pytest.mark.parametrize(("number", "after"), [(signal.SIGINT, 0.1), (signal.SIGTERM, 0.5), (signal.SIGTERM, 1.2)])
def test_a_signal_ends_it_in_order_at_any_time(model_file, tmp_path, number, after):
    """While Qt is loaded, while the window is made, while the model is read or its kernels are compiled."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "kinetree", str(model_file)],
        env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        wait_for(lambda: _catches(child.pid, signal.SIGTERM))
        time.sleep(after)
        child.send_signal(number)
        try:
            said = child.communicate(timeout=LIMIT)
        finally:
            child.kill()
    assert (child.returncode, *said) == (0, "", "")


def test_schema_as_xsd(tmp_path):
    from kinetree.engine.mjcf.xsd import to_xsd

    out = tmp_path / "mjcf.xsd"
    assert run_kinetree("schema", "--xsd", "-o", out).returncode == 0
    assert out.read_bytes() == to_xsd()
    done = run_kinetree("schema")
    assert done.returncode == 2 and "--xsd" in done.stderr
    done = run_kinetree("schema", "--xsd", "-o", tmp_path / "no" / "mjcf.xsd")
    assert done.returncode == 1 and "no" in done.stderr


def test_check_of_selected_elements(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(
        '<mujoco>\n<asset>\n<material name="m"/>\n<material name="n"/>\n</asset>\n'
        '<worldbody><geom size="1"/></worldbody>\n</mujoco>\n'
    )
    assert run_kinetree("check", path).stdout.count("[unused-asset]") == 2
    done = run_kinetree("check", path, "--select", "//material[@name='n']")
    assert done.returncode == 0 and done.stdout.count("\n") == 1 and ":4:" in done.stdout
    done = run_kinetree("check", path, "--select", "//site")
    assert done.stdout == "" and "nothing is selected by //site" in done.stderr
    done = run_kinetree("check", path, "--select", "//site[")
    assert done.returncode == 2 and "--select: //site[: not an XPath expression" in done.stderr


def test_check_counts_a_flood_of_one_kind(tmp_path):
    """Few of each kind are printed, with the number of the others; errors are not hidden by warnings."""
    path = tmp_path / "model.xml"
    flood = '<frame sise="1"/>\n' * 2000
    path.write_text(f'<mujoco><worldbody>\n{flood}<geom sise="1"/>\n</worldbody></mujoco>\n')
    done = run_kinetree("check", path)
    lines = done.stdout.splitlines()
    assert done.returncode == 1 and len(lines) == SHOWN + 1
    assert f":{SHOWN + 1}:" in lines[-2] and f"(and {2000 - SHOWN} more of this kind) [unknown-attribute]" in lines[-2]
    assert "2002:7: error: unknown attribute 'sise'" in lines[-1]
    rows = [json.loads(line) for line in run_kinetree("check", "--json", path).stdout.splitlines()]
    assert len(rows) == len(lines) and rows[-2]["message"].endswith(f"(and {2000 - SHOWN} more of this kind)")
    assert run_kinetree("check", "--all", path).stdout.count("\n") == 2001
    done = run_kinetree("check", path, "--select", "//frame[1500]")
    assert ":1501:" in done.stdout and ":2002:" in done.stdout and done.stdout.count("\n") == 2
    done = run_kinetree("convert", path, tmp_path / "out.xml")
    assert done.returncode == 1 and done.stderr.splitlines() == lines


def test_check_lists_all_findings_of_a_kind_where_asked(tmp_path):
    path = tmp_path / "model.xml"
    materials = "".join(f'<material name="m{k}"/>\n' for k in range(300))
    path.write_text(f'<mujoco><asset>\n{materials}</asset><worldbody><geom size="1"/></worldbody></mujoco>')
    done = run_kinetree("check", path)
    assert done.stdout.count("\n") == 5 and "(and 295 more of this kind)" in done.stdout.splitlines()[-1]
    assert run_kinetree("check", "--all", path).stdout.count("[unused-asset]") == 300
    done = run_kinetree("check", path, "--select", "//material[@name='m250']")
    assert done.stdout.count("\n") == 1 and ":252:" in done.stdout


# ---- simulate ----------------------------------------------------------------------------------------------


def test_simulate_records_what_the_steps_compute(tmp_path):
    import numpy as np

    from kinetree.engine.run.motion import Motion

    file, made = tmp_path / "rig.xml", tmp_path / "run.npz"
    file.write_text(MODEL)
    done = run_kinetree("simulate", file, "--time", 0.1, "--key", "up", "--record", made)
    assert done.returncode == 0 and "steps to 0.1 s" in done.stdout, done.stderr
    model, motion = kinetree.load(str(file)), Motion.load(made)
    data, places = kinetree.Data(model), motion.places(model)
    kinetree.reset(model, data, "up")
    for row in range(len(motion.times)):
        indices, columns = places.fields["qpos"]
        assert motion.times[row] == data.time
        assert motion.values[row, columns].tobytes() == data.qpos[indices].tobytes()
        kinetree.step(model, data)
    noisy = run_kinetree("simulate", file, "--noise", 0.2, "--until", "time > 0.05", "--record", tmp_path / "a.csv")
    assert "stopped: time > 0.05" in noisy.stdout, noisy.stderr
    first = Motion.load(tmp_path / "a.csv")
    again = run_kinetree("simulate", file, "--controls", tmp_path / "a.csv", "--time", first.duration, "--record", made)
    assert again.returncode == 0, again.stderr
    assert np.array_equal(Motion.load(made).values, first.values)
    refused(run_kinetree("simulate", file, "--until", "qposs > 1"), "--until", "qpos")
    refused(run_kinetree("simulate", file, "--record", "a.txt"), ".npz")
    refused(run_kinetree("simulate", file, "--noise", "loud"), "loud")
