"""Scenarios of saving, one for each way: text, copies, compiled models, journal, settings, pictures, recordings."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from tests.faults.trials import Scenario
from tests.patience import LIMIT

OLD, NEW = '<mujoco model="old"/>\n', '<mujoco model="new ü"><worldbody><geom size=".1"/></worldbody></mujoco>\n'


def _told(action: Callable[[], object], *errors: type[Exception]) -> str:
    """Message to the user by code whose caller shows these errors."""
    try:
        action()
    except (OSError, ValueError, *errors) as error:
        return str(error) or " "
    except MemoryError:  # whoever runs this in a thread shows any error
        return "not enough memory"
    return ""


def _by_thread(write: Callable[[], None], path: Path) -> str:
    """Message to the window by the thread that saves."""
    from kinetree.app.workers.saving import SaveThread

    told: list[str] = []
    SaveThread(write, str(path), lambda _path, message, _details: told.append(message)).run()
    return told[0] if told else " "


# ---- texts ---------------------------------------------------------------------------------------------------


class _Text:
    """An edited text of a project."""

    def __init__(self, has_file: bool, is_link: bool):
        self.has_file, self.is_link = has_file, is_link

    def prepare(self, folder: Path) -> None:
        from kinetree.engine.document.edit import Edit
        from kinetree.engine.document.files import read_file
        from kinetree.engine.document.project import Project

        self.path = folder / "m.xml"
        self.project = Project()
        if self.has_file:
            if self.is_link:
                self.path.symlink_to("file.xml")
            self.path.write_text(OLD)
            self.path.chmod(0o640)
            self.project.open(read_file(str(self.path)))
            self.project.apply("Edit", {str(self.path): [Edit(0, len(OLD), NEW)]})
        else:
            self.project.create(str(self.path), NEW)

    def save(self, folder: Path) -> str:
        from kinetree.engine.document.write import write_file

        save = self.project.prepare_save(str(self.path))
        message = _by_thread(partial(write_file, save), self.path)
        if not message:
            self.project.finish_save(save)
        return message

    def again(self, folder: Path) -> str:
        message = self.save(folder)
        if self.has_file and not message and self.path.stat().st_mode & 0o777 != 0o640:
            return "other permissions"
        return message

    def in_memory(self, folder: Path, is_saved: bool) -> str:
        if self.is_link and not self.path.is_symlink():
            return "the link was replaced"
        if self.has_file and is_saved and self.path.stat().st_mode & 0o777 != 0o640:
            return "other permissions"
        if self.project.text(str(self.path)) != NEW:
            return "the text in memory is another one"
        if bool(self.project.modified) == is_saved:
            return "the project says that it is saved" if not is_saved else "the project says that it is not saved"
        return ""


def _text(name: str, has_file: bool, is_link: bool = False) -> Scenario:
    text = _Text(has_file, is_link)
    return Scenario(name, text.prepare, text.save, text.again, text.in_memory)


def _copies() -> Scenario:
    """A document saved elsewhere with the files that it includes, in a folder that is not there yet."""
    from kinetree.engine.document.source import Source
    from kinetree.engine.document.write import Save, write_with_copies

    made: list[str] = []

    def save(folder: Path) -> str:
        main, part = str(folder / "m.xml"), str(folder / "parts" / "deep" / "part.xml")
        source = Source(main, None, NEW, folder)
        copies = [] if made else [(part, Source(part, None, OLD, folder))]
        return _by_thread(partial(write_with_copies, Save(main, main, source, None, False), copies), Path(main))

    def again(folder: Path) -> str:
        made[:] = ["the copy is there"] if (folder / "parts" / "deep" / "part.xml").exists() else []
        return save(folder)

    return Scenario("text with copies", lambda folder: made.clear(), save, again)


def _model(name: str, ending: str) -> Scenario:
    import kinetree
    from kinetree.engine.storage.saving import save

    model = kinetree.load_string(NEW)

    def prepare(folder: Path) -> None:
        (folder / f"m{ending}").write_bytes(b"old")

    def run(folder: Path) -> str:
        path = folder / f"m{ending}"
        return _by_thread(partial(save, model, str(path)), path)

    return Scenario(name, prepare, run)


# ---- what the program keeps ----------------------------------------------------------------------------------


class _Journal:
    """The journal's thread, with an older text on the disk."""

    def prepare(self, folder: Path) -> None:
        from kinetree.app.workers.journal import JournalThread

        self.found: list = []
        self.told: list[str] = []
        self.folder = folder
        self.thread = JournalThread(folder, self.found.append, self.told.append)
        self.thread.start()
        self.record("old")
        self.wait("old", LIMIT / 4)

    def record(self, text: str) -> None:
        from kinetree.app.workers.journal import Unsaved, UnsavedText

        self.thread.record(
            Unsaved("/m/a.xml", (UnsavedText("/m/a.xml", text, "base"), UnsavedText("/m/b.xml", "b", None)))
        )

    def kept(self) -> str | None:
        """The text on the disk; None where no session can be read."""
        from kinetree.app.workers.journal import _read

        for state in self.folder.glob("*/state.json"):
            try:
                unsaved = _read(state.parent)
            except FileNotFoundError:  # the thread has just written the next one
                return None
            return None if unsaved is None else unsaved.files[0].text
        return None

    def wait(self, text: str, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.kept() == text:
                return True
            time.sleep(0.02)
        return False

    def save(self, folder: Path) -> str:
        self.record("new")
        self.wait("new", 8.0)
        time.sleep(0.05)  # what is not named any more is deleted after that
        return "".join(self.told)

    def in_memory(self, folder: Path, is_saved: bool) -> str:
        if not self.thread.is_alive():
            return "the journal's thread has ended"
        return "" if self.kept() == "new" else f"the journal has {self.kept()!r} in place of the typed text"

    def again(self, folder: Path) -> str:
        self.told.clear()
        self.record("newest")
        done = self.wait("newest", LIMIT / 4)
        self.record("new")
        done = done and self.wait("new", LIMIT / 4)
        time.sleep(0.05)
        return "".join(self.told) if done else "what is typed later is not kept"


def _journal() -> Scenario:
    journal = _Journal()
    # A session has a name by chance, and a time: what it holds is looked at in `in_memory`.
    scenario = Scenario("journal", journal.prepare, journal.save, journal.again, journal.in_memory, others=True)

    class Kept(Scenario):
        def contents(self, folder: Path) -> dict[str, bytes]:
            found = {path.name for path in folder.glob("*/*") if path.name != "lock"}
            return {
                "session": str(journal.kept()).encode(),
                "drafts": " ".join(n for n in found if n.startswith(".")).encode(),
            }

    return Kept(**vars(scenario))


def _settings() -> Scenario:
    from kinetree.app.settings.settings import Settings

    made: list[Settings] = []

    def prepare(folder: Path) -> None:
        (folder / "kinetree.ini").write_text("[General]\nstep_size=3\n")
        made[:] = [Settings(str(folder))]
        made[0].value("step_size")

    def save(folder: Path) -> str:
        told: list[str] = []
        made[0].failed.connect(told.append)
        made[0].set("step_size", 7)
        made[0].set_of_model("/m/a.xml", "plots", "{}")
        made[0].save()
        made[0].failed.disconnect()
        return "".join(told)

    def in_memory(folder: Path, is_saved: bool) -> str:
        return "" if made[0].value("step_size") == 7 else "the setting has its old value"

    # Qt's own lock file stays where it cannot be deleted, and is waited for until it is 30 s old.
    return Scenario("settings", prepare, save, in_memory=in_memory, memory=False, private=("kinetree.ini.lock",))


# ---- pictures, videos and recordings -------------------------------------------------------------------------


def _old_file(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(b"old")  # type: ignore[return-value]


def _picture(ending: str, content: str) -> Scenario:
    from kinetree.app.pictures.content import Drawn
    from kinetree.app.pictures.files import save
    from kinetree.app.pictures.formats import Content

    pixels = np.arange(64 * 64 * 3, dtype=np.uint32).reshape(64, 64, 3).astype(np.uint8)
    drawn = Drawn(pixels)
    return Scenario(
        f"picture{ending}",
        _old_file(f"p{ending}"),
        lambda folder: _told(lambda: save(drawn, Content(content), str(folder / f"p{ending}"), None)),
        memory=ending == ".npy",  # Pillow reads from where it got nothing; a process of its own draws pictures
    )


def _recording(ending: str) -> Scenario:
    from kinetree.app.panels.analysing.plots.export import ExportColumn, write
    from kinetree.engine.run.series import SeriesRows

    rows = SeriesRows(
        1, np.arange(200) * 0.01, np.arange(200), np.arange(400.0).reshape(200, 2) / 7, {"qpos": slice(0, 2)}
    )
    columns = [ExportColumn("qpos", place, f"qpos[{place}]", "rad") for place in range(2)]
    return Scenario(
        f"recording{ending}",
        _old_file(f"r{ending}"),
        lambda folder: _told(lambda: write(str(folder / f"r{ending}"), [rows], columns)),
    )


def _motion(ending: str) -> Scenario:
    from kinetree.engine.run.motion import Motion

    motion = Motion(np.arange(300.0), np.arange(600.0).reshape(300, 2) / 7, ("qpos/a", "qpos/b"))
    return Scenario(
        f"motion{ending}", _old_file(f"m{ending}"), lambda folder: _told(lambda: motion.save(folder / f"m{ending}"))
    )


def _controls(ending: str) -> Scenario:
    from kinetree.engine.run.signals import ControlSeries

    series = ControlSeries(np.arange(300.0), np.arange(300.0).reshape(300, 1) / 7, ("motor",))
    return Scenario(
        f"controls{ending}", _old_file(f"c{ending}"), lambda folder: _told(lambda: series.save(folder / f"c{ending}"))
    )


def _parts() -> Scenario:
    """The convex parts of a mesh, a file each."""
    from kinetree.engine.editing.tools.decompose import ConvexPart, written

    part = ConvexPart(np.eye(3), np.array([[0, 1, 2]]))

    def save(folder: Path) -> str:
        for path in folder.glob("*.obj"):
            path.unlink()  # names that are free
        return _told(lambda: written([part, part], folder, "m"))

    return Scenario(
        "convex parts", lambda folder: None, lambda folder: _told(lambda: written([part, part], folder, "m")), save
    )


SCENARIOS: dict[str, Callable[[], Scenario]] = {
    "text": lambda: _text("text", True),
    "new text": lambda: _text("new text", False),
    "text behind a link": lambda: _text("text behind a link", True, True),
    "text with copies": _copies,
    "canonical MJCF": lambda: _model("canonical MJCF", ".xml"),
    ".kmodel": lambda: _model(".kmodel", ".kmodel"),
    "journal": _journal,
    "settings": _settings,
    "picture.png": lambda: _picture(".png", "colors"),
    "picture.npy": lambda: _picture(".npy", "colors"),
    "recording.csv": lambda: _recording(".csv"),
    "recording.parquet": lambda: _recording(".parquet"),
    "recording.mcap": lambda: _recording(".mcap"),
    "motion.npz": lambda: _motion(".npz"),
    "motion.csv": lambda: _motion(".csv"),
    "controls.npz": lambda: _controls(".npz"),
    "controls.csv": lambda: _controls(".csv"),
    "convex parts": _parts,
}
