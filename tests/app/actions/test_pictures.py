"""Pictures and videos from the window."""

import subprocess

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog

from kinetree.app.panels.dialogs.pictures.picture import PictureChoice, PictureDialog, file_filters
from kinetree.app.panels.dialogs.pictures.video import VideoChoice, VideoDialog, video_filters
from kinetree.app.panels.pages.failure import FailureDialog
from kinetree.app.pictures.film import Film
from kinetree.app.pictures.formats import Content
from kinetree.app.workers.simulation import requests
from tests.app.conftest import wait_for
from tests.patience import LIMIT


@pytest.fixture
def shown(make_window, model_file, rig):
    """The rig, paused after half a second."""
    window = make_window(model_file, size=(640, 480))
    wait_for(lambda: window.simulation.snapshot.step > 250, pump=QApplication.processEvents)
    window.simulation.post(requests.Pause())
    wait_for(lambda: not window.simulation.snapshot.running, pump=QApplication.processEvents)
    return window


def dialog(window, kind):
    (found,) = [each for each in window.findChildren(kind) if each.isVisible()]
    return found


def answer_file(window, path):
    """Take a path in the file dialog that is open."""
    wait_for(lambda: [d for d in window.findChildren(QFileDialog) if d.isVisible()], pump=QApplication.processEvents)
    asked = dialog(window, QFileDialog)
    asked.fileSelected.emit(str(path))
    asked.reject()


def done(window, path):
    wait_for(lambda: path.exists() and not window.workspace.drawings.is_busy, QApplication.processEvents)


def test_a_picture_is_saved_as_the_dialog_says(shown, tmp_path):
    shown.actions_["file.screenshot"].trigger()
    asked = dialog(shown, PictureDialog)
    asked.size_.set_pixels(200, 120)
    assert asked.size_.usual.currentText() == "Other"
    asked.transparent.setChecked(True)
    asked.save.click()
    path = tmp_path / "out.png"
    answer_file(shown, path)
    done(shown, path)
    with Image.open(path) as picture:
        assert (picture.size, picture.mode) == ((200, 120), "RGBA")
    shown.actions_["file.screenshot"].trigger()
    assert dialog(shown, PictureDialog).transparent.isChecked()  # as the last time
    dialog(shown, PictureDialog).reject()


def test_the_dialog_offers_what_a_content_can_have(shown):
    shown.actions_["file.screenshot"].trigger()
    asked = dialog(shown, PictureDialog)
    asked.content.setCurrentIndex(asked.content.findData(Content.DEPTH))
    assert not asked.transparent.isEnabled() and not asked.copy.isEnabled() and "millimetres" in asked.note.text()
    asked.content.setCurrentIndex(0)
    assert not asked.size_.isEnabled() and asked.copy.isEnabled() and asked.choice().content is None
    asked.reject()


def test_a_picture_as_shown_is_written_with_what_lies_over_it(shown, tmp_path):
    path = tmp_path / "shown.png"
    shown.handlers.pictures._save(PictureChoice(None, 1, 1, 1, False, True), shown.handlers.pictures.shown(), str(path))
    with Image.open(path) as picture:
        assert picture.size == (shown.frame.width(), shown.frame.height())


def test_the_viewport_is_copied(shown):
    shown.actions_["file.copy_picture"].trigger()
    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (shown.frame.width(), shown.frame.height())
    shown.handlers.pictures._copy(PictureChoice(Content.COLORS, 90, 60, 1, False, True))
    wait_for(lambda: QGuiApplication.clipboard().image().width() == 90, QApplication.processEvents)


def test_a_format_that_cannot_is_refused(shown, tmp_path):
    path = tmp_path / "out.jpg"
    shown.handlers.pictures._save(PictureChoice(Content.DEPTH, 90, 60, 1, False, True), None, str(path))
    told = shown.findChild(FailureDialog)
    assert told is not None and "does not hold depth" in told.text() and not path.exists()
    told.close()


def test_a_video_of_the_past_shows_what_was(shown, tmp_path):
    snapshot = shown.simulation.snapshot
    shown.actions_["file.video"].trigger()
    asked = dialog(shown, VideoDialog)
    assert asked.is_past and asked.save.isEnabled()
    asked.seconds.setValue(0.4)
    asked.rate.setCurrentIndex(asked.rate.findData(25.0))
    assert "10 frames" in asked.note.text()
    asked.size_.set_pixels(100, 75)
    assert not asked.save.isEnabled() and "even" in asked.note.text()
    asked.size_.set_pixels(100, 76)
    asked.save.click()
    path = tmp_path / "past.mp4"
    answer_file(shown, path)
    done(shown, path)
    assert imageio_ffmpeg.count_frames_and_secs(str(path))[0] == 11  # both ends
    assert shown.simulation.snapshot.step == snapshot.step
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    pixels = subprocess.run(command, capture_output=True, check=True, timeout=LIMIT).stdout
    frames = np.frombuffer(pixels, np.uint8).astype(int).reshape(11, 76, 100, 3)
    assert abs(frames[0] - frames[-1]).max() > 30


def test_a_turntable_goes_around_this_moment(shown, tmp_path):
    shown.actions_["file.video"].trigger()
    asked = dialog(shown, VideoDialog)
    asked.shows.setCurrentIndex(1)
    assert asked.turn.value() == 360.0 and not asked.seconds.isVisible() and asked.choice().seconds == 0.0
    asked.reject()
    path = tmp_path / "turn.gif"
    shown.handlers.pictures.save_video(VideoChoice(0.0, Film(5, 10.0, 0.0, 360.0), 64, 48, 1, True), 0, str(path))
    done(shown, path)
    with Image.open(path) as picture:
        assert picture.n_frames == 5


def test_a_video_of_the_span_that_is_selected_on_the_timeline(shown, tmp_path, qtbot):
    shown.simulation.post(requests.StepRequest(200))
    qtbot.waitUntil(lambda: shown.simulation.snapshot.last - shown.simulation.snapshot.first >= 200)
    shown.simulation.post(requests.Pause())
    last = shown.simulation.snapshot.last
    shown.timeline.refresh()
    shown.timeline.track.select(last - 150, last - 50)
    shown.actions_["file.video"].trigger()
    asked = dialog(shown, VideoDialog)
    assert asked.shows.currentText() == "The selected span (0.20 s)" and not asked.seconds.isVisible()
    choice = asked.choice()
    assert choice.span == (last - 150, last - 50) and choice.film.frames == 6
    asked.shows.setCurrentIndex(1)
    assert asked.choice().span is None and asked.seconds.isVisible()
    asked.reject()
    path = tmp_path / "span.gif"
    film = Film(5, 25.0, 1.0, 0.0)
    choice = VideoChoice(0.2, film, 64, 48, 1, True, (last - 150, last - 50))
    shown.handlers.pictures.save_video(choice, last, str(path))
    done(shown, path)
    with Image.open(path) as picture:
        assert picture.n_frames == 6  # from the first moment to the last


def test_a_recording_lasts_as_long_as_it_was_recorded(shown, tmp_path, qtbot):
    path = tmp_path / "live.mp4"
    shown.simulation.post(requests.Play())
    shown.actions_["file.film"].trigger()
    answer_file(shown, path)
    assert shown.actions_["file.film"].isChecked()
    qtbot.waitUntil(lambda: shown.frame.recording.isVisible() and shown.handlers.pictures.filming.seconds > 1.2)
    seconds = shown.handlers.pictures.filming.seconds
    with qtbot.waitSignal(shown.handlers.pictures.filming.saved):
        shown.frame.recording.click()
    assert not shown.actions_["file.film"].isChecked() and not shown.frame.recording.isVisible()
    frames, length = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert length == pytest.approx(seconds, abs=0.4) and frames == pytest.approx(30 * length, abs=2)


def test_the_window_is_recorded_and_ends_with_it(shown, tmp_path, qtbot):
    path = tmp_path / "window.webm"
    shown.handlers.pictures.film("window", str(path))
    assert shown.actions_["file.film_window"].isChecked()
    qtbot.waitUntil(lambda: shown.handlers.pictures.filming.seconds > 0.5)
    shown.close_anyway()
    assert imageio_ffmpeg.count_frames_and_secs(str(path))[0] >= 15


def test_kinds_of_files():
    assert file_filters(PictureChoice(Content.COLORS, 1, 1, 1, False, True)) == [
        "PNG (*.png)", "JPEG (*.jpg *.jpeg)", "WEBP (*.webp)",
    ]  # fmt: skip
    assert file_filters(PictureChoice(Content.DEPTH, 1, 1, 1, False, True)) == ["PNG (*.png)", "NPY (*.npy)"]
    assert video_filters(30.0) == ["MP4 (*.mp4)", "WebM (*.webm)"]
    assert len(video_filters(25.0)) == 3
