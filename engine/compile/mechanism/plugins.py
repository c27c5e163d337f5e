"""Plugins: the known plugins, their instances and parameters.

The plugins are those of MuJoCo 3.3.4. Their names and parameters were found by trying them; their meaning is
documented in model/plugin of MuJoCo's repository and in the XML reference, "extension". The engine computes them
itself, from the numbers in model.plugin_prm: no code of a plugin is ever loaded. Their stages are pid.py and
touch_sensor.py in engine/dynamics; the meshes of signed distance plugins are made by signed_distance.py.

Instances declared under extension have the first ids, then nameless ones of meshes, actuators and sensors, then those
of bodies and geoms in the order of the text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from kinetree.engine.compile.assets import signed_distance
from kinetree.engine.diagnostics import meant
from kinetree.engine.mjcf.elements import Body, Element
from kinetree.engine.mjcf.plugin_kinds import USERS
from kinetree.engine.mjcf.schema import nearest
from kinetree.engine.model import plugins as slots
from kinetree.engine.resources.raw_mesh import BadMesh
from kinetree.engine.translation import any_of, marked, tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.mjcf.elements import Spec
    from kinetree.engine.model.model import Model


class ParameterType(NamedTuple):
    """Type of a plugin's parameter.

    count    number of numbers; 0: anything
    strict   MuJoCo refuses other texts. If not set, MuJoCo takes the number that a word begins with, or 0.
    words    keywords that are allowed instead; others count as the last one
    """

    count: int = 1
    strict: bool = False
    words: tuple[str, ...] = ()


class Plugin(NamedTuple):
    """slot: its number in mjModel.plugin; for_: the kind of element that uses it, as text; attributes: the parameters
    of a config, in order.
    """

    slot: int
    for_: str
    attributes: dict[str, ParameterType]


NUMBER, CHECKED, PAIR = ParameterType(), ParameterType(strict=True), ParameterType(2)
ACTUATOR, BODY, SENSOR = marked("an actuator"), marked("a body"), marked("a sensor")
SHAPE = marked("a mesh and its geoms")
_TOUCH = {"nchannel": CHECKED, "size": PAIR, "fov": PAIR, "gamma": CHECKED}
_WORDS = {"actuator.plugin": ACTUATOR, "body.plugin": BODY, "sensor.plugin": SENSOR, "mesh.plugin": SHAPE}


def _plugin(name: str, slot: int, attributes: dict[str, ParameterType]) -> Plugin:
    return Plugin(slot, _WORDS[USERS[name][0]], attributes)


PLUGINS = {
    "mujoco.pid": _plugin("mujoco.pid", slots.PLUGIN_PID, dict.fromkeys(("kp", "ki", "kd", "imax", "slewmax"), NUMBER)),
    "mujoco.elasticity.cable": _plugin(
        "mujoco.elasticity.cable",
        slots.PLUGIN_CABLE,
        {"twist": CHECKED, "bend": CHECKED, "flat": ParameterType(words=("true", "false")), "vmax": NUMBER},
    ),
    "mujoco.sensor.touch_grid": _plugin("mujoco.sensor.touch_grid", slots.PLUGIN_TOUCH_GRID, _TOUCH),
    "mujoco.sensor.touch_stress": _plugin("mujoco.sensor.touch_stress", slots.PLUGIN_TOUCH_STRESS, _TOUCH),
    **{
        name: _plugin(
            name, getattr(slots, "PLUGIN_" + name.rpartition(".")[2].upper()), dict.fromkeys(shape.defaults, CHECKED)
        )
        for name, shape in signed_distance.SHAPES.items()
    },
    signed_distance.MESH: _plugin(signed_distance.MESH, slots.PLUGIN_SDFLIB, {"aabb": ParameterType(0)}),
}
MOST_CELLS = 10000
"""Most cells of a touch sensor in one direction."""
CHANNELS = {"mujoco.sensor.touch_grid": 6, "mujoco.sensor.touch_stress": 3}
"""Most channels of a touch sensor."""


class BadConfig(Exception):
    """A plugin cannot work with its parameters; `key`: the parameter."""

    def __init__(self, message: str, key: str):
        super().__init__(message)
        self.key = key


class Reported(Exception):
    """An error has been reported."""


class Instance:
    """One instance of a plugin: plugin, its settings, their numbers (plugin_prm), and the element that declares it."""

    def __init__(self, plugin: str, element: Element):
        self.plugin = plugin
        self.element = element
        self.numbers: tuple[float, ...] = ()
        self.config = {item["key"]: item.get("value") or "" for item in element.items if item.get("key")}

    def place(self, key: str) -> Element:
        """The config that sets a parameter, else the element."""
        return next((item for item in self.element.items if item.get("key") == key), self.element)


class Plugins:
    """Every plugin instance of a spec.

    objects     kind -> elements by id
    find        (kind, name, element, attribute) -> id of a named object, or -1 after a diagnostic
    instances   by id
    of          id() of a mesh, actuator, sensor, geom or body -> the id of its instance
    """

    def __init__(
        self,
        spec: Spec,
        objects: dict[str, list[Element]],
        find: Callable[[str, str, Element, str], int],
        diagnostics: Diagnostics,
    ):
        self.spec, self.objects, self.find_named = spec, objects, find
        self.diagnostics = diagnostics
        self.declared = spec.extensions
        self.of: dict[int, int] = {}
        self.instances: list[Instance] = []
        for name, place in self.declared.items():
            if name not in PLUGINS:
                self.error(place, "undefined-plugin", *_unknown(name, PLUGINS))
        self.named: list[int] = [
            # those of composites are counted where they are used, as in the reference
            self.add(element["plugin"], element) if element.node.tag == element.tag else -1
            for element in spec.lists["plugin"]
        ]
        self.nameless: dict[int, int] = {}
        for element in objects["mesh"]:
            self.use_inside(element)
        for kind, what in (("actuator", ACTUATOR), ("sensor", SENSOR)):
            for element in objects[kind]:
                if element.tag == "plugin":
                    self.use(element, element, what)
        for body, element in self.in_text_order():
            if element is body.plugin:
                self.use(body, element, BODY)
            else:
                self.use_inside(element)
        for instance in self.instances:
            self.check(instance)

    def in_text_order(self) -> list[tuple[Body, Element]]:
        """The plugins of bodies, and the geoms with plugins, with their bodies."""
        found = [
            (body, element)
            for body in self.objects["body"]
            if isinstance(body, Body)
            for element in (body.plugin, *body.geoms)
            if element is not None and (element is body.plugin or element.items)
        ]
        if len(found) > 1:
            place = {id(node): i for i, node in enumerate(self.spec.root.iter())}
            found.sort(key=lambda item: place.get(id(item[1].node), len(place)))
        return found

    def error(self, place, code: str, message: str, facts: tuple[str, ...] = ()) -> None:
        self.diagnostics.error(place, code, message, facts)

    def add(self, plugin: str, element: Element) -> int:
        self.instances.append(Instance(plugin, element))
        return len(self.instances) - 1

    def use(self, user: Element, element: Element, what: str) -> None:
        """Give something the instance that `element` names or describes. `what`: for which plugins are meant."""
        at = self.find(element)
        if at < 0:
            return
        plugin = PLUGINS.get(self.instances[at].plugin)
        if plugin is not None and plugin.for_ != what:
            self.error(
                element.at("plugin", "instance"),
                "bad-reference",
                tr(
                    "the plugin '{plugin}' is for {for_name}, not for {what}; name one that is",
                    plugin=self.instances[at].plugin,
                    for_name=tr(plugin.for_),
                    what=tr(what),
                ),
            )
            return
        self.of[id(user)] = at

    def use_inside(self, user: Element) -> None:
        """Give a mesh or geom the instance of the first plugin in it; the reference does not look at others."""
        if not user.items:
            return
        self.use(user, user.items[0], SHAPE)
        for item in user.items[1:]:
            message = tr("only the first plugin of a {tag} counts; remove this one", tag=user.tag)
            self.diagnostics.warning(item.node, "no-effect", message)
        if user.kind == "geom" and user["type"] != "sdf":
            message = tr(
                "a geom of type {type} has no plugin; set type to sdf, or remove the plugin", type=user["type"]
            )
            self.diagnostics.warning(user.items[0].node, "no-effect", message)

    def find(self, element: Element) -> int:
        plugin, name = element.get("plugin") or "", element.get("instance") or ""
        if plugin and plugin not in self.declared:
            if plugin in PLUGINS:
                message = tr(
                    "the plugin '{plugin}' is not declared; add <plugin plugin=\"{plugin}\"/> to <extension>",
                    plugin=plugin,
                )
                facts: tuple[str, ...] = (plugin,)
            else:
                message, facts = _unknown(plugin, self.declared or PLUGINS)
            self.error(element.at("plugin"), "undefined-plugin", message, facts)
            return -1
        if not name:
            if not plugin:
                self.error(element.node, "missing-attribute", tr("add plugin, or instance to share one declared"))
                return -1
            at = self.nameless.get(id(element))
            if at is None:
                at = self.nameless[id(element)] = self.add(plugin, element)
            return at
        at = self.find_named("plugin", name, element, "instance")
        if at >= 0 and self.named[at] < 0:
            made = self.spec.lists["plugin"][at]
            self.named[at] = self.add(made["plugin"], made)
        at = self.named[at] if at >= 0 else at
        if at >= 0 and plugin and self.instances[at].plugin != plugin:
            self.error(
                element.at("plugin"),
                "bad-reference",
                tr(
                    "the instance '{name}' is one of {plugin}, not of {plugin2}; correct one of them",
                    name=name,
                    plugin=self.instances[at].plugin,
                    plugin2=plugin,
                ),
            )
            return -1
        return at

    # ---- what they are set to -----------------------------------------------------------------------

    def check(self, instance: Instance) -> None:
        plugin = PLUGINS.get(instance.plugin)
        if plugin is None:
            return  # reported where it is declared
        keys: set[str] = set()
        for item in instance.element.items:
            key = item.get("key")
            missing = [name for name in ("key", "value") if item.node.attribute(name) is None]
            if missing:
                self.error(
                    item.node,
                    "missing-attribute",
                    tr("a config needs {missing}; add {missing}=...", missing=missing[0]),
                )
                return
            if key in keys:
                self.error(item.at("key"), "repeated-element", tr("'{key}' is set twice; remove one of them", key=key))
                return
            keys.add(key)
            if key and key not in plugin.attributes:
                guess = nearest(key, plugin.attributes)
                hint = (
                    tr("did you mean '{guess}'?", guess=guess)
                    if guess
                    else tr("it takes {names}", names=", ".join(plugin.attributes))
                )
                self.error(
                    item.at("key"),
                    "unknown-attribute",
                    tr("{plugin} has no parameter '{key}'; {hint}", plugin=instance.plugin, key=key, hint=hint),
                    meant(key, guess),
                )
                return
            if key and not self.check_value(instance, item, key, plugin.attributes[key]):
                return
        try:
            instance.numbers = NUMBERS[plugin.slot](instance)
        except BadConfig as error:
            self.error(instance.place(error.key).at("value"), "bad-value", f"{instance.plugin}: {error}")

    def check_value(self, instance: Instance, item: Element, key: str, value: ParameterType) -> bool:
        """Report a text that is not what the parameter holds; whether the plugin can work with it."""
        text = instance.config[key]
        words = text.split()
        is_bad = [_NUMBER.fullmatch(word) is None for word in words]
        what, report = f"{instance.plugin}: {key} is '{text}'", self.diagnostics.warning
        if value.count == 0 or not text:
            return True
        if value.words:
            if text not in value.words:
                names = any_of(value.words)
                report(
                    item.at("value"),
                    "bad-choice",
                    tr("{what}, which counts as {words}; write {names}", what=what, words=value.words[-1], names=names),
                )
            return True
        if value.strict and _NUMBER.fullmatch("".join(words)) is None:
            self.error(item.at("value"), "bad-value", tr("{what}; write a number", what=what))
            return False
        if any(is_bad):
            word = words[is_bad.index(True)]
            message = tr(
                "{plugin}: '{word}' in {key} counts as {number:g}; write a number",
                plugin=instance.plugin,
                word=word,
                key=key,
                number=_number(word),
            )
            report(item.at("value"), "bad-value", message)
        elif value.count == 1 and len(words) > 1:
            report(
                item.at("value"),
                "bad-value",
                tr("{what}: only the first number counts; remove the others", what=what),
            )
        return True

    def shape(self, mesh: Element) -> tuple[str, tuple[float, ...]] | None:
        """The plugin that makes a mesh, and the numbers of its shape; None where the mesh comes from elsewhere.

        Raises BadMesh where there is nothing to make it of.
        """
        if not mesh.items or mesh.get("file"):
            return None
        at = self.of.get(id(mesh))
        instance = self.instances[at] if at is not None else None
        if instance is None or instance.plugin not in PLUGINS:
            raise Reported
        if instance.plugin not in signed_distance.SHAPES:
            raise BadMesh(tr("{plugin} needs triangles from a file; add file=...", plugin=instance.plugin), "plugin")
        try:
            return instance.plugin, shape_numbers(instance)
        except BadConfig:
            raise Reported from None

    def name(self, user: Element) -> str:
        """The plugin that an actuator or sensor has, "" after a diagnostic."""
        at = self.of.get(id(user))
        return "" if at is None else self.instances[at].plugin

    def dim(self, sensor: Element) -> int:
        """How many values a plugin sensor has."""
        at = self.of.get(id(sensor))
        if at is None:
            return 0
        try:
            channels, across, down = touch_numbers(self.instances[at])[:3]
        except BadConfig:
            return 0
        return int(channels * across * down)

    def activations(self, actuator: Element) -> int:
        """How many activation variables a plugin has for an actuator, besides that of its dyntype."""
        at = self.of.get(id(actuator))
        if at is None:
            return 0
        config = self.instances[at].config
        return (_number(config.get("ki", "")) != 0) + bool(config.get("slewmax", "").strip())

    # ---- into the model -----------------------------------------------------------------------------

    def sizes(self) -> dict[str, int]:
        self.texts = [
            b"".join(
                instance.config.get(key, "").encode("utf-8", "surrogateescape") + b"\0"
                for key in PLUGINS[instance.plugin].attributes
            )
            if instance.plugin in PLUGINS
            else b""
            for instance in self.instances
        ]
        return {
            "nplugin": len(self.instances),
            "npluginattr": sum(map(len, self.texts)),
            "npluginstate": 0,
        }

    def fill(self, model: Model) -> None:
        adr = 0
        for i, (instance, text) in enumerate(zip(self.instances, self.texts, strict=True)):
            model.plugin[i] = PLUGINS[instance.plugin].slot
            model.plugin_attradr[i] = adr
            model.plugin_attr[adr : adr + len(text)] = list(text)
            model.plugin_prm[i, : len(instance.numbers)] = instance.numbers
            adr += len(text)
        model.geom_plugin = self.ids(self.objects["geom"])
        bodies = self.ids(self.objects["body"])
        model.body_plugin = bodies
        model.actuator_plugin = self.ids(self.objects["actuator"])
        model.sensor_plugin = self.ids(self.objects["sensor"])
        self.check_cables(bodies, model.body_parentid.tolist())

    def check_cables(self, instances: list[int], parents: list[int]) -> None:
        """Report cables whose bodies do not follow each other; `instances` and `parents` of bodies, by id.

        The reference refuses gaps. Where one body follows another without being its child, it bends the two against
        each other nevertheless.
        """
        last: dict[int, int] = {}
        for body, instance in enumerate(instances):
            if instance < 0 or PLUGINS[self.instances[instance].plugin].slot != slots.PLUGIN_CABLE:
                continue
            before = last.get(instance)
            last[instance] = body
            if before is None or parents[body] == before == body - 1:
                continue
            place = self.objects["body"][body]
            place = getattr(place, "plugin", None) or place
            first, second = (self.objects["body"][i].get("name") or f"body {i}" for i in (before, body))
            if before == body - 1:
                self.diagnostics.warning(
                    place.node,
                    "branched-cable",
                    tr(
                        "'{second}' bends against '{first}', the body before it in this cable, which is not its "
                        "parent; give each cable an instance of its own",
                        first=first,
                        second=second,
                    ),
                )
            else:
                self.error(
                    place.node,
                    "broken-cable",
                    tr(
                        "the bodies of a cable are a chain without others in between, but between '{first}' and "
                        "'{second}' are others; give them the plugin too, or each cable an instance of its own",
                        first=first,
                        second=second,
                    ),
                )

    def ids(self, elements: list[Element] | list[Body]) -> list[int]:
        return [self.of.get(id(element), -1) for element in elements]


def _unknown(name: str, known: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Message and facts of a finding about an unknown plugin."""
    tails = {each.rpartition(".")[2]: each for each in known}  # all of them begin alike
    guess = tails.get(nearest(name.rpartition(".")[2], tails) or "")
    hint = tr("did you mean '{guess}'?", guess=guess) if guess else tr("there are {names}", names=", ".join(PLUGINS))
    return tr("there is no plugin '{name}'; {hint}", name=name, hint=hint), meant(name, guess)


_NUMBER = re.compile(
    r"[+-]?(0x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(p[+-]?\d+)?|(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?|nan)",
    re.ASCII | re.IGNORECASE,
)
"""A number as C's strtod reads it."""


def _number(text: str) -> float:
    """The number at the start of a text, 0 without one."""
    found = _NUMBER.match(text.lstrip())
    if found is None:
        return 0.0
    number = found.group()
    return float.fromhex(number) if "x" in number.lower() else float(number)


def shape_numbers(instance: Instance) -> tuple[float, ...]:
    """The parameters of a shape, with its defaults."""
    result = []
    for key, default in signed_distance.SHAPES[instance.plugin].defaults.items():
        text = instance.config.get(key, "")
        number = _number(text) if text else default
        if not math.isfinite(number):
            raise BadConfig(tr("{key} is {number:g}; write a finite number", key=key, number=number), key)
        result.append(number)
    return tuple(result)


def touch_numbers(instance: Instance) -> tuple[float, ...]:
    """nchannel, cells across and down, field of view across and down (degrees), gamma of a touch sensor."""
    config = instance.config
    size = [_number(word) for word in config.get("size", "").split()]
    if len(size) != 2:
        raise BadConfig(tr("size needs two numbers, the cells across and down"), "size")
    if not all(1 <= number < MOST_CELLS for number in size):
        raise BadConfig(tr("the numbers of cells in size go from 1 to {most}", most=MOST_CELLS), "size")
    size = list(map(int, size))
    view = [_number(word) for word in config.get("fov", "").split()]
    if len(view) != 2:
        raise BadConfig(tr("fov needs two angles, across and down, in degrees"), "fov")
    for angle, most in zip(view, (180, 90), strict=True):
        if not 0 < angle <= most:
            raise BadConfig(
                tr("fov holds {angle:g}; angles across go to 180, those down to 90 degrees", angle=angle), "fov"
            )
    gamma = _number(config.get("gamma", ""))
    if not 0 <= gamma <= 1:
        raise BadConfig(tr("gamma is {gamma:g}; it goes from 0 to 1", gamma=gamma), "gamma")
    most = CHANNELS[instance.plugin]
    channels = _number(config.get("nchannel", "")) or 1
    if not 1 <= channels <= most or not math.isfinite(channels):
        raise BadConfig(tr("nchannel goes from 1 to {most}", most=most), "nchannel")
    return (int(channels), *size, *view, gamma)


def pid_numbers(instance: Instance) -> tuple[float, ...]:
    """kp, ki, kd, imax / ki and slewmax of a controller; -1 for the last two where there is no limit."""
    numbers = {}
    for key in PLUGINS[instance.plugin].attributes:
        numbers[key] = _number(instance.config.get(key, ""))
        if not math.isfinite(numbers[key]):
            raise BadConfig(tr("{key} is {numbers:g}; write a finite number", key=key, numbers=numbers[key]), key)
    given = {key for key in ("imax", "slewmax") if instance.config.get(key, "").strip()}
    if numbers["slewmax"] < 0:
        raise BadConfig(tr("slewmax cannot be negative; leave it out for no limit"), "slewmax")
    most = -1.0
    if "imax" in given and numbers["ki"] != 0:
        most = numbers["imax"] / numbers["ki"]
        if most < 0:
            raise BadConfig(tr("imax needs the sign of ki; leave it out for no limit"), "imax")
    slewmax = numbers["slewmax"] if "slewmax" in given else -1.0
    return (numbers["kp"], numbers["ki"], numbers["kd"], most, slewmax)


def cable_numbers(instance: Instance) -> tuple[float, ...]:
    """Shear and Young's modulus of a cable, 1 where it is straight at rest, the torque drawn in red (0: none)."""
    config = instance.config
    twist, bend, most = (_number(config.get(key, "")) for key in ("twist", "bend", "vmax"))
    return twist, bend, float(config.get("flat") == "true"), most if math.isfinite(most) else 0.0


NUMBERS: dict[int, Callable[[Instance], tuple[float, ...]]] = {
    slots.PLUGIN_PID: pid_numbers,
    slots.PLUGIN_CABLE: cable_numbers,
    slots.PLUGIN_TOUCH_GRID: touch_numbers,
    slots.PLUGIN_TOUCH_STRESS: touch_numbers,
    **{PLUGINS[name].slot: shape_numbers for name in signed_distance.SHAPES},
    slots.PLUGIN_SDFLIB: lambda instance: (),
}
"""Slot of a plugin -> what reads its numbers; each raises BadConfig."""
