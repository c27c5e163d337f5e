"""Saves the recorded past of the simulation as a motion, and plays motions back."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from kinetree.app.actions.context import ActionContext
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.workers.simulation import requests
from kinetree.engine import run
from kinetree.engine.translation import counted, marked, tr

if TYPE_CHECKING:
    from kinetree.engine.run.playback import Playback
    from kinetree.engine.run.replay import Replay

FILES = marked("Motions (*.npz *.csv)")
SAVE_FILES = marked("NumPy (*.npz);;CSV Table (*.csv)")


class Motions:
    """Handlers that save and play recorded motions. `table()` maps ids of actions to them."""

    def __init__(self, context: ActionContext):
        self.context, workspace = context, context.workspace
        self.simulation, self.tasks = workspace.simulation, workspace.tasks

    def table(self) -> dict[str, Callable]:
        return {
            "sim.save_motion": self.ask_where_to_save,
            "sim.play_motion": self.ask_what_to_play,
            "sim.end_motion": lambda: self.simulation.post(requests.EndMotion(goes_on=False)),
            "sim.go_on": lambda: self.simulation.post(requests.EndMotion(goes_on=True)),
        }

    def ask_where_to_save(self) -> None:
        """Ask for the file, then save."""
        dialog = self._dialog(tr("Save Motion"), tr(SAVE_FILES))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("npz")
        dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix("csv" if "csv" in kind else "npz"))
        dialog.selectFile("motion.npz")
        dialog.fileSelected.connect(self.save)
        dialog.open()

    def save(self, path: str) -> None:
        """Compute what the history keeps since the last reset or edit again, in a thread, and write it."""

        def take(replay: Replay | None) -> None:
            if replay is not None:
                self.tasks.run(tr("Saving the motion"), lambda: written(replay), told, self.context.report)

        def written(replay: Replay) -> tuple[int, float]:
            motion = replay.motion()
            motion.save(path)
            return len(motion.times), motion.duration

        def told(found: tuple[int, float]) -> None:
            states, seconds = found
            self.context.say(
                counted(
                    "Saved {count} state, {seconds:.4g} s, to {path}",
                    "Saved {count} states, {seconds:.4g} s, to {path}",
                    states,
                    seconds=seconds,
                    path=path,
                )
            )

        self.simulation.take_replay(take)

    def ask_what_to_play(self) -> None:
        """Ask for a file, then play it."""
        dialog = self._dialog(tr("Play Motion"), tr(FILES))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.play)
        dialog.open()

    def play(self, path: str) -> None:
        """Read a motion in a thread, and show it in place of the simulation."""
        model, loops = self.simulation.model, self.context.settings.repeats_motions
        if model is None:
            return

        def made() -> run.playback.Playback:

            return run.playback.Playback(run.motion.Motion.load(path), model, os.path.basename(path), loops)

        def take(playback: Playback) -> None:
            if self.simulation.model is model:
                self.simulation.post(requests.PlayMotion(playback))
                unused = playback.places.unused
                told = f"{playback.name}: {playback.motion.duration:.4g} s"
                if unused:
                    names = ", ".join(unused[:4])
                    told = tr("{motion}; columns that the model does not have: {names}", motion=told, names=names)
                self.context.say(told)

        self.tasks.run(tr("Reading the motion"), made, take, self.context.report)

    def _dialog(self, title: str, kinds: str) -> QFileDialog:
        dialog = FileDialog(self.context.parent, title, self.context.settings.folder, kinds)
        return dialog
