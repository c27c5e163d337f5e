"""Cameras and lights."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kinetree.engine.compile.indexing import ObjectIndex, users
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.mjcf.pose import pose, ray
from kinetree.engine.model import enums
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

MINVAL = 1e-15
MODES = {
    "fixed": enums.CAMLIGHT_FIXED,
    "track": enums.CAMLIGHT_TRACK,
    "trackcom": enums.CAMLIGHT_TRACKCOM,
    "targetbody": enums.CAMLIGHT_TARGETBODY,
    "targetbodycom": enums.CAMLIGHT_TARGETBODYCOM,
}
LIGHT_TYPES = {
    "spot": enums.LIGHT_SPOT,
    "directional": enums.LIGHT_DIRECTIONAL,
    "point": enums.LIGHT_POINT,
    "image": enums.LIGHT_IMAGE,
}


class CamerasAndLights:
    """The cameras and lights of one spec.

    cameras   (position, orientation) of each in its body, by id
    lights    (position, direction) of each in its body, by id
    """

    def __init__(self, index: ObjectIndex, diagnostics: Diagnostics):
        self.index = index
        self.spec = index.spec
        self.bodies = index.bodies
        self.diagnostics = diagnostics
        self.cameras = [pose(camera, self.spec, diagnostics) for camera in index.objects["camera"]]
        self.lights = [ray(light, diagnostics) for light in index.objects["light"]]

    def fill(self, model: Model) -> None:
        self.fill_cameras(model)
        self.fill_lights(model)

    def error(self, element: Element, code: str, message: str, *attributes: str) -> None:
        self.diagnostics.error(element.at(*attributes), code, message)

    def fill_cameras(self, m: Model) -> None:
        cameras = self.index.objects["camera"]
        if not cameras:
            return
        m.cam_bodyid = [body.id for body in self.bodies for _ in body.cameras]
        m.cam_pos, m.cam_quat = zip(*self.cameras, strict=True)
        m.cam_mode = [MODES[camera["mode"]] for camera in cameras]
        m.cam_targetbodyid = [self.target(camera) for camera in cameras]
        m.cam_orthographic = [camera["orthographic"] for camera in cameras]
        m.cam_ipd = [camera["ipd"] for camera in cameras]
        m.cam_resolution = [camera["resolution"] for camera in cameras]
        for i, camera in enumerate(cameras):
            self.lens(m, i, camera)
        users(m, "cam_user", cameras)

    def target(self, element: Element) -> int:
        at = self.index.reference(element, "target", "body")
        if not element.get("target") and element["mode"] in ("targetbody", "targetbodycom"):
            self.diagnostics.warning(
                element.at("mode"),
                "no-target",
                tr(
                    "mode {element} without a target is the same as fixed; add target=... with a body",
                    element=element["mode"],
                ),
            )
        return at

    def lens(self, m: Model, i: int, camera: Element) -> None:
        """Set field of view and intrinsics: from fovy, or from the sensor's size and the focal length."""
        fovy = camera["fovy"]
        if fovy >= 180:
            self.error(camera, "bad-value", tr("fovy is {fovy:g}; it must be below 180", fovy=fovy), "fovy")
        znear = self.spec.visual["map"]["znear"]
        intrinsic, sensor = [znear, znear, 0.0, 0.0], camera["sensorsize"].tolist()
        width, height = camera["resolution"].tolist()
        if width < 0 or height < 0:
            self.error(camera, "bad-value", tr("resolution cannot be negative"), "resolution")
            return
        if sensor[0] > 0 and sensor[1] > 0:
            if width == 0 or height == 0:
                self.error(camera, "bad-value", tr("with sensorsize the resolution must be above 0"), "resolution")
                return
            if "fovy" in camera.given:
                self.error(
                    camera,
                    "exclusive-attributes",
                    tr("fovy and sensorsize exclude each other; remove one"),
                    "fovy",
                )
            density = width / sensor[0], height / sensor[1]
            for k in (0, 1):
                for at, name in ((k, "focal"), (2 + k, "principal")):
                    pixels = name + "pixel" in camera.given  # both numbers then, zeros too
                    intrinsic[at] = camera[name + "pixel"][k] / density[k] if pixels else camera[name][k]
            fovy = math.degrees(2 * math.atan2(sensor[1] / 2, max(intrinsic[1], MINVAL)))
        m.cam_fovy[i], m.cam_intrinsic[i], m.cam_sensorsize[i] = fovy, intrinsic, sensor

    def fill_lights(self, m: Model) -> None:
        lights = self.index.objects["light"]
        if not lights:
            return
        m.light_bodyid = [body.id for body in self.bodies for _ in body.lights]
        m.light_pos, m.light_dir = zip(*self.lights, strict=True)
        m.light_mode = [MODES[light["mode"]] for light in lights]
        m.light_targetbodyid = [self.target(light) for light in lights]
        for i, light in enumerate(lights):
            kind = light["type"]
            if "directional" in light.given:
                if "type" in light.given and light.node.attribute("type") is not None:
                    self.error(
                        light,
                        "exclusive-attributes",
                        tr("type and directional exclude each other; remove directional"),
                        "directional",
                    )
                kind = "directional" if light["directional"] else "spot"
            m.light_type[i] = LIGHT_TYPES[kind]
        m.light_texid = [self.index.reference(light, "texture", "texture") for light in lights]
        for name in (
            "castshadow", "active", "bulbradius", "intensity", "range", "attenuation", "cutoff", "exponent", "ambient",
            "diffuse", "specular",
        ):  # fmt: skip
            setattr(m, "light_" + name, [light[name] for light in lights])
