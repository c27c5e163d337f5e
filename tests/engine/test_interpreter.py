"""engine/interpreter.py: our modules in processes of their own."""

import subprocess

from kinetree.engine.interpreter import command
from kinetree.engine.packaged import packaged


def test_a_file_beside_the_model_is_not_imported(tmp_path):
    (tmp_path / "struct.py").write_text("raise SystemExit('a stranger')")
    (tmp_path / "numpy.py").write_text("raise SystemExit('a stranger')")
    done = subprocess.run(command("kinetree", "--version"), cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("kinetree ")


def test_arguments_arrive_as_given(tmp_path):
    done = subprocess.run(command("kinetree", "check", "a b.xml"), cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "a b.xml" in done.stdout + done.stderr


def test_a_process_finds_the_same_kinetree_without_the_environment(tmp_path):
    """Also where the folder of the checkout alone led to it."""
    done = subprocess.run(command("kinetree", "--version"), cwd=tmp_path, env={}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_files_that_come_with_the_package_are_where_they_are_read():
    for names in (("resources", "models"), ("resources", "icons"), ("resources", "style"), ("shaders",)):
        assert any(packaged(*names).iterdir())
