"""The table of actions: menus, shortcuts, tooltips and the F1 help are made from it.

Keys are MuJoCo simulate's. An action in the scope "viewport" has its keys only while the viewport has the
focus, so that typing in a filter box never toggles a flag. The flags and groups of the scene come from
`VisOptions`' table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kinetree.engine import scene
from kinetree.engine.translation import marked

WINDOW, VIEWPORT, SOURCE, FOCUS = "window", "viewport", "source", "focus"

SIDES: tuple[tuple[str, str, str, tuple[float, float, float]], ...] = (
    ("front", "Front (+X)", "Look at the same point from the front", (1.0, 0.0, 0.0)),
    ("back", "Back (−X)", "Look at the same point from behind", (-1.0, 0.0, 0.0)),
    ("left", "Left (+Y)", "Look at the same point from the left", (0.0, 1.0, 0.0)),
    ("right", "Right (−Y)", "Look at the same point from the right", (0.0, -1.0, 0.0)),
    ("top", "Top (+Z)", "Look down at the same point", (0.0, 0.0, 1.0)),
    ("bottom", "Bottom (−Z)", "Look up at the same point", (0.0, 0.0, -1.0)),
)  # fmt: skip
"""Sides of the world to look from: name, text, help, direction."""


BOOKMARKS = 9
"""Bookmarks of views that have a key."""


MENUS: tuple[str, ...] = ("File", "Edit", "Source", "Tools", "Simulation", "Camera", "Display", "View", "Help")


MNEMONICS: dict[str, str] = {"Source": "Sou&rce"}
"""Menus that are opened with another letter than their first, which another menu has."""

HEADINGS: dict[tuple[str, str], str] = {
    ("View", "editing"): marked("Editing"),
    ("View", "simulation"): marked("Simulation"),
    ("View", "results"): marked("Results"),
    ("View", "viewport"): marked("Viewport"),
    ("View", "window"): marked("Window"),
}
"""Titles of the sections of menus that are long, by menu and section."""


SUBMENU_SECTIONS = {
    "File/Compare": "compare",
    "View/State": "simulation",
    "View/More Plots": "results",
    "View/Analysis": "results",
    "View/Panels": "window",
    "View/Viewports": "window",
    "View/Theme": "window",
    "Display/Section Plane": "what is drawn",
    "Display/Quality": "how it is drawn",
    "Tools/Angles": "angles",
    "Tools/Mirror Limb": "angles",
    "Tools/Fit Primitive": "meshes",
}
"""The section of its menu that a submenu stands in; others stand in the one before them."""


@dataclass(frozen=True)
class Action:
    """One row. `id` names the handler; `keys` are QKeySequence texts, the first one is shown.

    menu     "File", "Display/Groups" for a submenu, "Display/Effects/Soft Shadows" for one of that; "" for none
    section  a separator is drawn between actions of different sections of one menu
    scope    WINDOW: the keys act in the whole window; VIEWPORT: only while the viewport has the focus; SOURCE: only
             while the source panel has it, and then before those of the window; FOCUS: the widget with the focus has
             the keys by itself, the menu only shows them
    """

    id: str
    text: str
    keys: tuple[str, ...]
    help: str
    menu: str = ""
    section: str = ""
    scope: str = WINDOW
    checkable: bool = False
    icon: str = ""

    @property
    def top(self) -> str:
        """The menu in the bar: "Display"; "" for none."""
        return self.menu.partition("/")[0]

    @property
    def innermost(self) -> str:
        """The submenu that it stands in, "" for the menu in the bar itself."""
        return self.menu.rpartition("/")[2] if "/" in self.menu else ""


ACTIONS: tuple[Action, ...] = (
    Action("file.new", "New Model", ("Ctrl+N",), "Begin a model with a floor, a light and a box", "File", "open", icon="new"),
    Action("file.new_window", "New Window", ("Ctrl+Shift+N",), "Open another window, for another model", "File", "open"),
    Action("file.open", "Open…", ("Ctrl+O",), "Open a model file", "File", "open", icon="open"),
    Action("file.open_apart", "Open in New Window…", (), "Open a model file in a window of its own, beside the models that are open", "File", "open"),
    Action("file.open_name", "Open by Name…", ("Ctrl+Shift+O",), "Open an example, a model below a folder, or a robot of an installed package by its name", "File", "open"),
    Action("file.reload", "Reload", ("Ctrl+L",), "Read the file again; the state is kept", "File", "reload", icon="reload"),
    Action("file.auto_reload", "Reload Automatically", (), "Reload when the file, or one that it refers to, changes", "File", "reload", checkable=True, icon="watch"),
    Action("file.save", "Save", ("Ctrl+S",), "Save the changes to the open file and the files that it includes", "File", "save"),
    Action("file.save_as", "Save As…", ("Ctrl+Shift+S",), "Save the open file under another name and go on with it there", "File", "save"),
    Action("file.save_copy_as", "Save a Copy As…", (), "Save the text of the open file under another name and stay with this one", "File", "save"),
    Action("file.save_all", "Save All", ("Ctrl+Alt+S",), "Save the changes to all open files", "File", "save"),
    Action("compare.file", "Compare With File…", (), "Simulate another model file beside the open model, with the same controls, and show it as a ghost", "File/Compare", "compare"),
    Action("compare.saved", "Compare With Saved Version", (), "Compare with the model as it is on disk", "File/Compare", "compare"),
    Action("compare.previous", "Compare With Version Before Last Edit", (), "Compare with the model as it was before the last edit", "File/Compare", "compare"),
    Action("compare.present", "Keep Present Version to Compare", (), "Keep the model as it is now, and compare the edits to come with it", "File/Compare", "compare"),
    Action("compare.ghost", "Show Ghost", (), "Draw the model that is compared, see-through in one colour, where it differs", "File/Compare", "shown", checkable=True),
    Action("compare.side", "Models Side by Side", (), "Show both models beside each other, from the same place", "File/Compare", "shown", checkable=True),
    Action("compare.end", "End Comparison", (), "Simulate the open model alone again", "File/Compare", "shown"),
    Action("file.screenshot", "Save Picture…", ("Ctrl+P",), "Save a picture in any size: colours, depths, or which object each pixel shows", "File", "picture"),
    Action("file.copy_picture", "Copy Picture", (), "Copy the viewport as it is shown to the clipboard", "File", "picture"),
    Action("file.video", "Save Video…", (), "Save a video of the recorded past, or from all sides of this moment, drawn frame by frame", "File", "picture"),
    Action("file.film", "Record Viewport…", (), "Record the viewport to a video while you work; again to end it", "File", "picture", checkable=True),
    Action("file.film_window", "Record Window…", (), "Record the whole window to a video while you work; again to end it", "File", "picture", checkable=True),
    Action("file.save_copy", "Save a Canonical Copy…", (), "Save the model as one MJCF file with includes, defaults and replicas expanded", "File", "picture"),
    Action("file.close", "Close Model", ("Ctrl+W",), "Close the model and keep the window", "File", "end"),
    Action("file.quit", "Quit", ("Ctrl+Q",), "Close Kinetree", "File", "end"),
    Action("edit.undo", "Undo", ("Ctrl+Z",), "Undo the last edit of the text", "Edit", "history"),
    Action("edit.redo", "Redo", ("Ctrl+Shift+Z",), "Redo the last undone edit of the text", "Edit", "history"),
    Action("edit.cut", "Cut", ("Ctrl+X",), "Move the selected elements to the clipboard as XML; in a text: the selected text", "Edit", "clipboard", VIEWPORT),
    Action("edit.copy", "Copy", ("Ctrl+C",), "Copy the selected elements to the clipboard as XML; in a text: the selected text", "Edit", "clipboard", FOCUS),
    Action("edit.paste", "Paste", ("Ctrl+V",), "Insert the XML of the clipboard into the selected element; in a text: the text", "Edit", "clipboard", VIEWPORT),
    Action("edit.duplicate", "Duplicate", ("Ctrl+D",), "Copy the selected elements, with names of their own; in a text: the lines", "Edit", "elements", VIEWPORT),
    Action("edit.delete", "Delete", ("Del",), "Delete the selected elements, after showing what refers to them; in a text: the selected text", "Edit", "elements", VIEWPORT),
    Action("edit.add", "Add…", ("Shift+A",), "Choose a shape, body, joint, site, light or camera and add it in the middle of the picture, or drag it onto a surface", "Edit", "elements", VIEWPORT),
    Action("edit.insert", "Insert…", ("Ins",), "Choose a new element for the selected one from those that the format allows there", "Edit", "elements"),
    Action("edit.rename", "Rename…", ("F2",), "Rename the selected element and all that refers to it", "Edit", "elements", FOCUS),
    Action("select.back", "Previous Selection", ("Alt+Shift+Left",), "Select what was selected before", "Edit", "selection"),
    Action("select.forward", "Next Selection", ("Alt+Shift+Right",), "Select what was selected after it", "Edit", "selection"),
    Action("edit.settings", "Settings…", ("Ctrl+,",), "Change what Kinetree remembers for all models: theme, memory, text size and more", "Edit", "settings", icon="settings"),
    Action("edit.keys", "Keyboard and Mouse…", (), "Show and change the keys of all actions, and what the mouse does in the viewport", "Edit", "settings", icon="keys"),
    Action("edit.mode", "Edit Mode", ("N",), "T, R and S choose what the handles do", "Edit", "gizmo", VIEWPORT, True, icon="keys"),
    Action("edit.move", "Move", (), "Show handles that move the selected elements", "Edit", "tool", VIEWPORT, True, icon="move"),
    Action("edit.turn", "Turn", (), "Show handles that turn the selected elements", "Edit", "tool", VIEWPORT, True, icon="turn"),
    Action("edit.size", "Size", (), "Show handles that change the size of the selected shape", "Edit", "tool", VIEWPORT, True, icon="size"),
    Action("edit.axes", "Next Gizmo Axes", (), "Move and turn along other axes: those of the element, of the body around it, or of the world", "Edit", "tool", VIEWPORT, icon="axis"),
    Action("edit.axes_local", "Own", (), "Move and turn along the axes of the element", "Edit/Gizmo Axes", "", VIEWPORT, True),
    Action("edit.axes_parent", "Parent's", (), "Move and turn along the axes of the body around the element", "Edit/Gizmo Axes", "", VIEWPORT, True),
    Action("edit.axes_world", "World's", (), "Move and turn along the axes of the world", "Edit/Gizmo Axes", "", VIEWPORT, True),
    Action("source.show", "Show Source", ("Ctrl+E",), "Show the text of the model and type there", "Source", "show"),
    Action("source.external", "Open in External Editor", ("Ctrl+Alt+E",), "Open the selected element, or the line of the caret, in the editor of the settings", "Source", "show"),
    Action("source.find", "Find…", ("Ctrl+F",), "Find a text in this file", "Source", "find", SOURCE),
    Action("source.replace", "Replace…", ("Ctrl+H",), "Replace a text in this file or in all files", "Source", "find", SOURCE),
    Action("source.next_hit", "Find Next", ("F3",), "Go to the next place that was found", "Source", "find", SOURCE),
    Action("source.previous_hit", "Find Previous", ("Shift+F3",), "Go to the previous place that was found", "Source", "find", SOURCE),
    Action("source.find_in_files", "Find in All Files", ("Ctrl+Shift+F",), "List the places in all files of the project that have a text", "Source", "find", SOURCE),
    Action("source.line", "Go to Line…", ("Ctrl+G",), "Go to a line by its number", "Source", "go", SOURCE),
    Action("source.back", "Go Back", ("Alt+Left",), "Return to the place that was left last", "Source", "go", SOURCE),
    Action("source.forward", "Go Forward", ("Alt+Right",), "Return to where Go Back was used", "Source", "go", SOURCE),
    Action("source.complete", "Complete", ("Ctrl+Space",), "List what may be typed at the caret", "Source", "names", SOURCE),
    Action("source.fix", "Quick Fix…", ("Alt+Return",), "List the fixes of the problem at the caret", "Source", "names", SOURCE),
    Action("source.definition", "Go to Definition", ("F12",), "Go to the declaration of the name at the caret (Ctrl + click)", "Source", "names", SOURCE),
    Action("source.references", "Find References", ("Shift+F12",), "List the places that have the name at the caret", "Source", "names", SOURCE),
    Action("source.rename", "Rename…", ("F2",), "Rename an element and all that refers to it, in all files", "Source", "names", SOURCE),
    Action("source.format", "Format", ("Ctrl+Shift+I",), "Correct indentation and spaces of this file, and nothing else", "Source", "names", SOURCE),
    Action("source.next_problem", "Next Problem", ("F8",), "Go to the next problem in this file", "Source", "go", SOURCE),
    Action("source.previous_problem", "Previous Problem", ("Shift+F8",), "Go to the previous problem in this file", "Source", "go", SOURCE),
    Action("source.next_change", "Next Change", ("Alt+F5",), "Go to the next lines that differ from the saved file", "Source", "go", SOURCE),
    Action("source.previous_change", "Previous Change", ("Alt+Shift+F5",), "Go to the previous lines that differ from the saved file", "Source", "go", SOURCE),
    Action("source.comment", "Toggle Comment", ("Ctrl+/",), "Make a comment of the selection or the element, or end it", "Source/Lines", "", SOURCE),
    Action("source.duplicate", "Duplicate Lines Below", ("Alt+Shift+Down",), "Copy the lines of the caret; the caret is in the lower copy", "Source/Lines", "", SOURCE),
    Action("source.duplicate_above", "Duplicate Lines Above", ("Alt+Shift+Up",), "Copy the lines of the caret; the caret is in the upper copy", "Source/Lines", "", SOURCE),
    Action("source.move_up", "Move Lines Up", ("Alt+Up",), "Move the lines of the caret up", "Source/Lines", "", SOURCE),
    Action("source.move_down", "Move Lines Down", ("Alt+Down",), "Move the lines of the caret down", "Source/Lines", "", SOURCE),
    Action("source.delete_lines", "Delete Lines", ("Ctrl+Shift+K",), "Delete the lines of the caret", "Source/Lines", "", SOURCE),
    Action("source.indent", "Indent", ("Ctrl+]",), "Indent the lines of the caret by one step", "Source/Lines", "", SOURCE),
    Action("source.outdent", "Indent Less", ("Ctrl+[",), "Take one step of indentation away", "Source/Lines", "", SOURCE),
    Action("source.restore", "Restore Saved Lines", (), "Write the lines of the caret as they are in the saved file", "Source/Lines", "saved", SOURCE),
    Action("source.add_next", "Add Next Occurrence", ("Ctrl+D",), "Select the word, then also the next place that has it", "Source/Carets", "", SOURCE),
    Action("source.add_all", "Add All Occurrences", ("Ctrl+Shift+L",), "Select every place that has the word or the selected text", "Source/Carets", "", SOURCE),
    Action("source.caret_above", "Add Caret Above", ("Ctrl+Alt+Up",), "Type on the line above too", "Source/Carets", "", SOURCE),
    Action("source.caret_below", "Add Caret Below", ("Ctrl+Alt+Down",), "Type on the line below too", "Source/Carets", "", SOURCE),
    Action("source.fold", "Fold", ("Ctrl+Shift+[",), "Show only the first line of the element around the caret", "Source/Fold", "", SOURCE),
    Action("source.unfold", "Unfold", ("Ctrl+Shift+]",), "Show all lines of the folded element", "Source/Fold", "", SOURCE),
    Action("source.fold_all", "Fold All Sections", (), "Show only the first line of each section of the file", "Source/Fold", "", SOURCE),
    Action("source.unfold_all", "Unfold All", (), "Show all lines", "Source/Fold", "", SOURCE),
    Action("source.larger", "Larger Text", ("Ctrl++", "Ctrl+="), "Enlarge the text of the source panel", "Source/Text", "", SOURCE),
    Action("source.smaller", "Smaller Text", ("Ctrl+-",), "Reduce the text of the source panel", "Source/Text", "", SOURCE),
    Action("source.normal_size", "Normal Size", ("Ctrl+0",), "Show the text of the source panel in its initial size", "Source/Text", "", SOURCE),
    Action("source.wrap", "Wrap Long Lines", ("Alt+Z",), "Continue long lines on the next row", "Source/Text", "", SOURCE, True),
    Action("source.map", "Minimap", (), "Show the shape of the whole text in the scroll bar", "Source/Text", "", SOURCE, True),
    Action("tools.extract", "Extract Default Class…", (), "Move attributes that the selected elements have in common to a default class", "Tools", "classes"),
    Action("tools.inline", "Dissolve Default Class", (), "Write what the selected default class sets into the elements that use it", "Tools", "classes"),
    Action("tools.merge_classes", "Merge Default Classes", (), "Let the elements of the selected default classes use the first one; what is different is written in the elements", "Tools", "classes"),
    Action("tools.convert", "Convert to MJCF…", (), "Show the model as MJCF beside its text, to open or save it", "Tools", "convert"),
    Action("tools.split", "Split to Included File…", (), "Move the selected elements to a file of their own, which the model includes", "Tools", "files"),
    Action("tools.merge", "Replace Include by Its Elements", (), "Write what the selected include holds in its place; the included file stays as it is", "Tools", "files"),
    Action("tools.write_inertia", "Write Inertia", (), "Write mass, centre of mass and inertia of the selected bodies or links as they were computed from their shapes", "Tools", "inertia"),
    Action("tools.from_geoms", "Inertia from Geoms", (), "Remove the inertial of the selected bodies or links, so that their shapes give mass and inertia", "Tools", "inertia"),
    Action("tools.degrees", "Angles in Degrees", (), "Write all angles of the model in degrees, included files and default classes too", "Tools/Angles", "unit"),
    Action("tools.radians", "Angles in Radians", (), "Write all angles of the model in radians, included files and default classes too", "Tools/Angles", "unit"),
    Action("tools.quat", "Orientation as Quaternion", (), "Write the orientation of the selected elements as quat", "Tools/Angles", "form"),
    Action("tools.euler", "Orientation as Euler Angles", (), "Write the orientation of the selected elements as euler, in the sequence of compiler/eulerseq", "Tools/Angles", "form"),
    Action("tools.axisangle", "Orientation as Axis and Angle", (), "Write the orientation of the selected elements as axisangle", "Tools/Angles", "form"),
    Action("tools.xyaxes", "Orientation as X and Y Axes", (), "Write the orientation of the selected elements as xyaxes", "Tools/Angles", "form"),
    Action("tools.zaxis", "Orientation as Z Axis", (), "Write the orientation of the selected elements as zaxis, where that says it all", "Tools/Angles", "form"),
    Action("tools.without_fromto", "End Points to Position and Size", (), "Write the fromto of the selected shapes as pos, zaxis and size", "Tools/Angles", "ends"),
    Action("tools.with_fromto", "Position and Size to End Points", (), "Write the pose and length of the selected shapes as fromto", "Tools/Angles", "ends"),
    Action("tools.mirror_y", "Left to Right (Y)", (), "Copy the selected body or link with all on it to the other side of its parent's frame, across Y; names change sides", "Tools/Mirror Limb", ""),
    Action("tools.mirror_x", "Front to Back (X)", (), "Copy the selected body or link with all on it to the other side of its parent's frame, across X; names change sides", "Tools/Mirror Limb", ""),
    Action("tools.mirror_z", "Top to Bottom (Z)", (), "Copy the selected body or link with all on it to the other side of its parent's frame, across Z; names change sides", "Tools/Mirror Limb", ""),
    Action("tools.fit_box", "Box", (), "Replace the mesh of the selected geoms or URDF shapes, or of all that use the selected mesh, by a box of equal inertia, or of its bounding box with compiler/fitaabb", "Tools/Fit Primitive", ""),
    Action("tools.fit_sphere", "Sphere", (), "Replace the mesh of the selected geoms or URDF shapes, or of all that use the selected mesh, by a sphere of equal inertia, or of its bounding box with compiler/fitaabb", "Tools/Fit Primitive", ""),
    Action("tools.fit_capsule", "Capsule", (), "Replace the mesh of the selected geoms or URDF shapes, or of all that use the selected mesh, by a capsule of equal inertia, or of its bounding box with compiler/fitaabb", "Tools/Fit Primitive", ""),
    Action("tools.fit_cylinder", "Cylinder", (), "Replace the mesh of the selected geoms or URDF shapes, or of all that use the selected mesh, by a cylinder of equal inertia, or of its bounding box with compiler/fitaabb", "Tools/Fit Primitive", ""),
    Action("tools.fit_ellipsoid", "Ellipsoid", (), "Replace the mesh of the selected geoms or URDF shapes, or of all that use the selected mesh, by an ellipsoid of equal inertia, or of its bounding box with compiler/fitaabb", "Tools/Fit Primitive", ""),
    Action("tools.decompose", "Convex Decomposition…", (), "Cut a mesh into convex parts, which collide in its place: the mesh of the selected geoms or URDF shapes, or the selected mesh", "Tools", "meshes"),
    Action("sim.toggle", "Run or Pause", ("Space",), "Run or pause the simulation", "Simulation", "run", VIEWPORT, icon="play"),
    Action("sim.step", "Step Forward", ("Right",), "While paused: go to the next state of the history, after the last one simulate one step", "Simulation", "run", VIEWPORT, icon="step"),
    Action("sim.back", "Step Back", ("Left",), "Pause and go to the previous state of the history", "Simulation", "run", VIEWPORT, icon="back"),
    Action("sim.step_many", "Step Forward by Several", ("Shift+Right",), "While paused: go several states forward; Step Size says how many", "Simulation", "run", VIEWPORT),
    Action("sim.back_many", "Step Back by Several", ("Shift+Left",), "Pause and go several states back; Step Size says how many", "Simulation", "run", VIEWPORT),
    Action("sim.previous_mark", "Previous Mark", ("Ctrl+Left",), "Pause and go back to the last reset, edit or contact before the shown state", "Simulation/Timeline", "", VIEWPORT, icon="mark-previous"),
    Action("sim.next_mark", "Next Mark", ("Ctrl+Right",), "Pause and go to the next reset, edit or contact after the shown state", "Simulation/Timeline", "", VIEWPORT, icon="mark-next"),
    Action("sim.oldest", "Oldest State", ("Home",), "Pause and go to the oldest state that the history keeps", "Simulation/Timeline", "", VIEWPORT),
    Action("sim.newest", "Newest State", ("End",), "Pause and go to the newest state", "Simulation/Timeline", "", VIEWPORT),
    Action("sim.loop_span", "Loop Selected Span", (), "Show the span that is selected on the timeline (Shift + drag) again and again, at the speed of the simulation", "Simulation/Timeline", "span", checkable=True),
    Action("sim.clear_span", "Clear Selected Span", (), "Select no span of the timeline any more", "Simulation/Timeline", "span"),
    Action("sim.save_motion", "Save Motion…", (), "Save all recorded states since the last reset or edit, and the controls, as .npz or CSV with named columns", "Simulation/Timeline", "motion"),
    Action("sim.play_motion", "Play Motion…", (), "Show recorded states, by the names of joints, in place of the simulation", "Simulation/Timeline", "motion"),
    Action("sim.go_on", "Go On from the Motion", (), "Simulate on from the state that the played motion shows", "Simulation/Timeline", "motion"),
    Action("sim.end_motion", "End the Motion", (), "Return from the played motion to the simulation as it was", "Simulation/Timeline", "motion", icon="close"),
    Action("sim.step_size", "Step Size…", (), "Set how many states Step Forward by Several and Step Back by Several go", "Simulation/Timeline", "size"),
    Action("sim.reset", "Reset", ("Backspace",), "Return to the initial state", "Simulation", "run", VIEWPORT, icon="reset"),
    Action("sim.until", "Run Until…", ("Ctrl+U",), "Run up to a time, or to the step at which a condition begins to hold", "Simulation", "run"),
    Action("sim.faster", "Faster", ("=", "+"), "Increase the simulation speed", "Simulation", "speed", VIEWPORT),
    Action("sim.slower", "Slower", ("-",), "Decrease the simulation speed", "Simulation", "speed", VIEWPORT),
    Action("sim.real_time", "Real Time", (), "Simulate one second per second", "Simulation", "speed"),
    Action("sim.pose", "Pose with Handles", ("Shift+N",), "Let the handles move the state that is shown, and not the text: mocap bodies and joints at any time, free bodies and limbs while paused", "Simulation", "pose", VIEWPORT, True, icon="joint"),
    Action("sim.pose_contacts", "Contacts Stop Poses", (), "While paused: a dragged body does not penetrate others", "Simulation", "pose", checkable=True),
    Action("sim.undo_pose", "Undo Pose", ("Ctrl+Alt+Z",), "While paused: take back the last pose that was set with the mouse or a slider; the text has an Undo of its own", "Simulation", "pose"),
    Action("sim.redo_pose", "Redo Pose", ("Ctrl+Alt+Shift+Z",), "While paused: set the pose again that was taken back last", "Simulation", "pose"),
    Action("sim.noise", "Control Noise", (), "Move all controls at random that nothing else drives; the Controls panel has its numbers", "Simulation", "state", checkable=True),
    Action("sim.controller", "Controller File…", ("Ctrl+Alt+R",), "Let a Python file of yours drive the actuators: its function control(time, data) is called before the steps, in a process of its own", "Simulation", "state"),
    Action("sim.new_controller", "New Controller File…", (), "Write a Python file to begin with, which has the names of the model, and let it drive the actuators", "Simulation", "state"),
    Action("sim.end_controller", "End Controller", (), "Run the controller file no more; the controls stay as they are", "Simulation", "state"),
    Action("sim.clear_ctrl", "Clear Controls", (), "Set all controls to zero", "Simulation", "state"),
    Action("sim.history", "History Limits…", (), "Limit the time and the memory of the recorded states", "Simulation/Timeline", "size"),
    Action("sim.threads", "Physics Threads…", (), "Let several threads share the work of a simulation step", "Simulation", "state"),
    Action("sim.save_key", "Save State as Keyframe", ("Ctrl+Alt+K",), "Save the state that is shown into the model as a new keyframe, to go back to it", "Simulation", "state", icon="key-save"),
    Action("sim.copy_state", "Copy State", ("Ctrl+C",), "Copy the state to the clipboard as an MJCF keyframe", "Simulation", "state", VIEWPORT),
    Action("sim.copy_state_exactly", "Copy State, All Digits", ("Ctrl+Shift+C",), "Copy the state as an MJCF keyframe with 16 significant digits", "Simulation", "state", VIEWPORT),
    Action("camera.free", "Free Camera", ("Esc",), "Look through the free camera, which the mouse moves", "Camera", "kind", VIEWPORT),
    Action("camera.align", "Align Free Camera", ("Ctrl+A",), "Return the free camera to its initial view", "Camera", "kind", VIEWPORT),
    Action("camera.orthographic", "Orthographic", ("Ctrl+Alt+O",), "Draw without perspective: parallel lines stay parallel", "Camera", "kind", checkable=True),
    Action("camera.cube", "View Cube", (), "Show a small cube that tells how the camera stands, and turns it", "Camera", "kind", WINDOW, True),
    Action("camera.bookmark", "Save View…", ("Ctrl+B",), "Keep the camera under a name, to go back to it; bookmarks are remembered for each model file", "Camera", "kind"),
    Action("camera.picture", "Picture of Next Camera", ("Ctrl+Alt+P",), "Show in a corner what the next camera of the model sees; after the last one none", "Camera", "cycle"),
    Action("camera.next", "Next Camera", ("]",), "Look through the model's next camera", "Camera", "cycle", VIEWPORT),
    Action("camera.previous", "Previous Camera", ("[",), "Look through the model's previous camera", "Camera", "cycle", VIEWPORT),
    Action("camera.look", "Look at Selection", (".",), "Bring the selected element into the middle of the picture", "Camera", "selection", VIEWPORT, icon="look"),
    Action("camera.fit", "Fit to Selection", ("Ctrl+.",), "Show what is selected, or else the whole model, as large as the viewport allows", "Camera", "selection"),
    Action("camera.fit_all", "Fit All", ("Ctrl+Alt+.",), "Show the whole model as large as the viewport allows", "Camera", "selection"),
    Action("camera.track", "Track Selection", (), "Make the camera follow the selected body", "Camera", "selection"),
    Action("select.parent", "Select Parent Body", ("PgUp",), "Select the parent of the selected body", "Camera", "selection", VIEWPORT),
    Action("view.reset_camera", "Reset Camera", (), "Look through the active viewport as when the model was opened first", "Camera", "reset"),
    Action("show.shapes", "Visual or Collision Shapes", ("6",), "Show collision shapes whatever their group, then visual and collision shapes, then again the groups", "Display", "modes", VIEWPORT),
    Action("show.frame", "Next Frame Mode", ("F6",), "Choose which coordinate frames are drawn", "Display", "modes"),
    Action("show.label", "Next Label Mode", ("F7",), "Choose which objects are labelled with their names", "Display", "modes"),
    Action("show.flex_layer", "Next Flex Layer", (), "With Flex Face: show the next inner layer of solid flexes", "Display", "modes"),
    Action("show.hide", "Hide or Show Selection", ("Ctrl+H",), "Do not draw the selected elements, or draw them again; a body with all below it", "Display", "selection"),
    Action("show.isolate", "Isolate Selection", ("Ctrl+I",), "Draw only the selected elements; bodies with all below them", "Display", "selection"),
    Action("show.fade", "Fade Selection", ("Ctrl+T",), "Draw the selected elements see-through, or as they are again; of a body its own shapes", "Display", "selection"),
    Action("show.frame_of", "Frame of Selection", (), "Draw the coordinate frames of the selected elements, or no more", "Display", "selection"),
    Action("show.label_of", "Label of Selection", (), "Write the names of the selected elements beside them, or no more", "Display", "selection"),
    Action("show.unmark", "Remove Frames and Labels of Elements", (), "Take away the frames and labels of single elements", "Display", "selection"),
    Action("show.all", "Show All", ("Ctrl+Shift+H",), "Draw everything again that was hidden or left out", "Display", "selection"),
    Action("view.reset_display", "Reset Display", (), "Draw the model in the active viewport as with usual options: flags, groups, frames, labels and effects, nothing hidden or cut; simulate in real time", "Display", "reset"),
    Action("view.palette", "Command Palette…", ("Ctrl+Shift+P", "Ctrl+K"), "Search all actions and the elements of the model, and run or select what is found", "View", "window"),
    Action("section.toggle", "Section Plane", ("Ctrl+Alt+X",), "Cut the model open through the middle of the selection or of the model, facing the viewer, or show it whole; the handle moves the plane, its ring tilts it", "Display/Section Plane", "", checkable=True),
    Action("section.x", "Across X", (), "Cut the model open across the x axis of the world", "Display/Section Plane", "axes", VIEWPORT),
    Action("section.y", "Across Y", (), "Cut the model open across the y axis of the world", "Display/Section Plane", "axes", VIEWPORT),
    Action("section.z", "Across Z", (), "Cut the model open across the z axis of the world", "Display/Section Plane", "axes", VIEWPORT),
    Action("section.view", "Facing the Viewer", (), "Cut the model open across the direction that the camera looks in", "Display/Section Plane", "axes", VIEWPORT),
    Action("section.flip", "Flip", (), "Leave out the other side of the section plane", "Display/Section Plane", "side", VIEWPORT),
    Action("measure.distance", "Distance", ("Ctrl+M",), "Measure distances: click two points of the model", "Tools/Measure", "", checkable=True),
    Action("measure.angle", "Angle", ("Ctrl+Alt+M",), "Measure angles: click three points of the model, the second is the corner", "Tools/Measure", "", checkable=True),
    Action("measure.copy", "Copy Measurements", (), "Copy all measurements to the clipboard as text", "Tools/Measure", "made", VIEWPORT),
    Action("measure.clear", "Remove Measurements", (), "Take away all measurements", "Tools/Measure", "made", VIEWPORT),
    Action("view.next_panel", "Next Panel", ("Ctrl+F6",), "Give the keyboard to the next panel: viewport, lists, tool bar", "View/Panels", ""),
    Action("view.previous_panel", "Previous Panel", ("Ctrl+Shift+F6",), "Give the keyboard to the panel before", "View/Panels", ""),
    Action("view.left", "Left Panels", ("Tab",), "Show or hide the panels on the left", "View/Panels", "sides", VIEWPORT, True),
    Action("view.right", "Right Panels", ("Shift+Tab",), "Show or hide the panels on the right", "View/Panels", "sides", VIEWPORT, True),
    Action("view.timeline", "Timeline", (), "Show the recorded states of the simulation below the panels, to go back to any of them", "View", "window", checkable=True),
    Action("viewports.single", "Single", ("Ctrl+Alt+1",), "Show one viewport", "View/Viewports", "", checkable=True),
    Action("viewports.columns", "Two Side by Side", ("Ctrl+Alt+2",), "Show two viewports side by side, each with its own camera and options", "View/Viewports", "", checkable=True),
    Action("viewports.rows", "One Above the Other", ("Ctrl+Alt+3",), "Show two viewports one above the other, each with its own camera and options", "View/Viewports", "", checkable=True),
    Action("viewports.grid", "Four", ("Ctrl+Alt+4",), "Show four viewports; the new ones look from above, the front and the right", "View/Viewports", "", checkable=True),
    Action("viewports.next", "Next Viewport", ("Ctrl+Tab",), "Give the keyboard to the next viewport", "View/Viewports", "go", VIEWPORT),
    Action("viewports.previous", "Previous Viewport", (), "Give the keyboard to the previous viewport", "View/Viewports", "go", VIEWPORT),
    Action("view.full_screen", "Full Screen", ("F5",), "Fill the screen with the window", "View", "window", checkable=True),
    Action("view.degrees", "Show Angles in Degrees", (), "Panels show angles in degrees instead of radians; the text stays as it is", "View", "window", checkable=True),
    Action("view.reduce", "Reduce Slow Pictures", (), "Draw with fewer effects and pixels, and without shadows and reflections, while frames take long, so that menus and keys answer; whole when nothing moves", "View", "window", checkable=True),
    Action("view.layout", "Reset Panels", (), "Restore the initial arrangement of the panels", "View", "window"),
    Action("view.theme_system", "System", (), "Use the light or dark theme of the desktop", "View/Theme", "", checkable=True),
    Action("view.theme_light", "Light", (), "Dark text on a light background", "View/Theme", "", checkable=True),
    Action("view.theme_dark", "Dark", (), "Light text on a dark background", "View/Theme", "", checkable=True),
    Action("help.docs", "Documentation", ("Ctrl+F1",), "Read and search the documentation, which is installed with Kinetree", "Help", ""),
    Action("help.here", "Help on This Panel", ("Shift+F1",), "Show the page of the documentation about the panel that has the keyboard", "Help", ""),
    Action("help.simulate", "Coming from simulate", (), "Show where the parts and keys of MuJoCo's viewer are here", "Help", ""),
    Action("help.keys", "Keys and Mouse", ("F1",), "Show all keys and mouse gestures", "Help", "", checkable=True),
    Action("help.info", "Statistics", ("F2",), "Show time, speed, frame rate, contacts and solver iterations in the viewport", "Help", "", VIEWPORT, True),
    Action("help.tour", "Tour", (), "Show in five steps how to pull, edit, plot, pose and record, on a model of ours", "Help", "tour"),
    Action("help.extras", "Extras…", (), "List large packages that few features need, to install or remove them", "Help", "about"),
    Action("help.updates", "Check for Updates…", (), "Ask once whether there is a newer version of Kinetree; nothing is downloaded", "Help", "about"),
    Action("help.crashes", "Crash Reports…", (), "Look at the reports of crashes, which stay on this computer", "Help", "about"),
    Action("help.about", "About Kinetree", (), "Show the version of Kinetree", "Help", "about"),
)  # fmt: skip


@dataclass(frozen=True)
class Gesture:
    """A mouse gesture in the viewport, for the F1 help. `app/viewport/mouse.py` implements them.

    mouse    what the user does; where a setting says it, what stands around it, such as "Shift + {gesture}"
    setting  the setting that says it, "" where it is fixed
    """

    mouse: str
    help: str
    setting: str = ""


GESTURES: tuple[Gesture, ...] = (
    Gesture("{gesture}", "Rotate the camera", "mouse.orbit"),
    Gesture("{gesture}", "Pan the camera in the vertical plane", "mouse.pan"),
    Gesture("Shift + {gesture}", "Pan the camera in the horizontal plane", "mouse.pan"),
    Gesture("Wheel, {gesture}", "Zoom (wheel with Shift: finer, Ctrl: faster)", "mouse.zoom"),
    Gesture("{gesture}", "Select a body; again: its geom", "mouse.select"),
    Gesture("{gesture}", "Add to the selection", "mouse.select_more"),
    Gesture("Left drag on a handle", "Edit (Shift: world axes, Ctrl: snap)"),
    Gesture("X, Y, Z while dragging", "Keep to one axis"),
    Gesture("Digits while dragging", "Type the value (Tab, Enter, Esc)"),
    Gesture("{gesture}", "Centre the camera on a point", "mouse.centre"),
    Gesture("{gesture}", "Track a body with the camera", "mouse.track"),
    Gesture("{gesture}", "Pull the selected body (Shift: horizontally)", "mouse.pull"),
    Gesture("{gesture}", "Turn the selected body", "mouse.turn"),
    Gesture("{gesture}", "Pull the selected body, on trackpads", "mouse.pull_too"),
    Gesture("The same while paused", "Pose the body: limbs follow, free bodies are placed"),
    Gesture("Esc while pulling", "Let go of the body; while paused it goes back"),
)

GROUPS: tuple[tuple[str, str, str | None], ...] = (
    ("geom", "Geom", ""),
    ("site", "Site", "Shift+"),
    ("joint", "Joint", None),
    ("tendon", "Tendon", None),
    ("actuator", "Actuator", None),
    ("flex", "Flex", None),
    ("skin", "Skin", None),
)  # fmt: skip
"""Kinds whose groups 0 to 5 can be hidden: kind, label, and the modifier of the digit keys (None: no
keys)."""


FLAG_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Surfaces", ("texture", "convexhull", "static", "skin", "transparent", "island")),
    ("Elements", ("joint", "camera", "light", "actuator", "activation", "tendon", "rangefinder", "equality")),
    ("Mass", ("inertia", "sclinertia", "com", "autoconnect")),
    ("Contacts", ("contactpoint", "contactforce", "contactsplit", "sdfiter")),
    ("Mouse", ("pertforce", "pertobj", "select")),
    ("Flexes", ("flexvert", "flexedge", "flexface", "flexskin")),
    ("Bounding Volumes", ("bodybvh", "meshbvh", "flexbvh")),
    ("Rendering", (
        "shadow", "reflection", "skybox", "fog", "haze", "additive", "wireframe", "segment", "idcolor", "cullface",
    )),
)  # fmt: skip
"""The flags by topic: submenus of Display and sections of the display panel."""

EXPOSURES: tuple[tuple[str, str, str], ...] = (
    ("brighter", "Brighter", "Raise the exposure by half a stop"),
    ("darker", "Darker", "Lower the exposure by half a stop"),
    ("reset", "Default", "Use the exposure that the model gives"),
)


def plural(kind: str) -> str:
    """The plural of a kind's name."""
    return f"{kind}es" if kind.endswith("x") else f"{kind}s"


def flag_actions() -> Iterator[Action]:
    """A row for every flag and group of `VisOptions` that the scene builder draws."""
    for title, names in FLAG_GROUPS:
        for name in names:
            flag = scene.options.FLAG_BY_NAME[name]
            keys = (flag.key,) if flag.key else ()
            yield Action(f"flag.{name}", flag.label, keys, flag.help, f"Display/{title}", "", VIEWPORT, True)
    for kind, label, held in GROUPS:
        for number in range(scene.options.NGROUP):
            keys = (f"{held}{number}",) if held is not None else ()
            yield Action(
                f"group.{kind}.{number}",
                f"{label} Group {number}",
                keys,
                f"Show the {plural(kind)} of group {number}",
                f"Display/Groups/{label} Groups",
                "",
                VIEWPORT,
                True,
            )


def mode_actions() -> Iterator[Action]:
    """A row for every choice of shapes, every frame mode and every label mode."""
    for which, menu, table in (
        ("shapes", "Shapes", scene.options.SHAPES),
        ("frame", "Frames", scene.options.FRAMES),
        ("label", "Labels", scene.options.LABELS),
    ):
        for mode, (label, help) in table.items():
            yield Action(f"{which}.{mode.name.lower()}", label, (), help, f"Display/{menu}", "", VIEWPORT, True)


def light_actions() -> Iterator[Action]:
    """A row for every preset, every effect and every tone mapping, and for changes of exposure."""

    yield Action(
        "quality.automatic",
        "Automatic",
        (),
        "All effects with a graphics card, few effects without one",
        "Display/Quality",
        "automatic",
        VIEWPORT,
        True,
    )
    for preset, (label, help) in scene.effects.PRESETS.items():
        yield Action(f"quality.{preset}", label, (), help, "Display/Quality", "", VIEWPORT, True)
    for effect in scene.effects.EFFECTS:
        if effect.choices:
            for value, label in effect.choices:
                name, menu = f"effect.{effect.name}.{value}", f"Display/Effects/{effect.label}"
                yield Action(name, label, (), effect.help, menu, "", VIEWPORT, True)
        else:
            yield Action(f"effect.{effect.name}", effect.label, (), effect.help, "Display/Effects", "", VIEWPORT, True)
    for name, (label, help) in scene.options.TONE_MAPPINGS.items():
        yield Action(f"tonemap.{name}", label, (), help, "Display/Tone Mapping", "", VIEWPORT, True)
    for name, label, help in EXPOSURES:
        yield Action(f"exposure.{name}", label, (), help, "Display/Exposure", "", VIEWPORT)


def side_actions() -> Iterator[Action]:
    """A row for every side to look from."""
    for name, label, help, _ in SIDES:
        yield Action(f"camera.{name}", label, (), help, "Camera/Look From", "selection", VIEWPORT)


def bookmark_actions() -> Iterator[Action]:
    """A row for every bookmark of a view that has a key. The menu Camera > Bookmarks lists all by name."""
    for number in range(1, BOOKMARKS + 1):
        yield Action(
            f"bookmark.{number}",
            f"Bookmark {number}",
            (f"Alt+{number}",),
            "Go back to this view",
            "Camera/Bookmarks",
            "kind",
        )


def table_actions() -> list[Action]:
    """All rows but those of the docks, which `app/panels/docks.py` has."""
    return [
        *ACTIONS,
        *side_actions(),
        *bookmark_actions(),
        *mode_actions(),
        *flag_actions(),
        *light_actions(),
    ]
