"""The smallest model around one element, for asking the reference what it thinks of an attribute's text."""

import mujoco

from kinetree.engine.mjcf.schema import ELEMENTS

BODY = (
    '<body name="B"><joint name="J" range="-90 90"/><geom name="G" size="1"/><geom name="G2" size="1"/><site name="S"/></body>'
    '<body name="B2"><joint name="JB" type="ball"/><geom size="1"/></body>'
    '<site name="S0" pos="0 0 3"/><camera name="C"/>'
)
FIXED = '<tendon><fixed name="T" range="-1 1"><joint joint="J" coef="1"/></fixed></tendon>'

#: (section of the model, text around the element as %s, what it needs itself unless it is given)
PLACES: dict[str, tuple[str, str, str]] = {
    "compiler": ("top", "%s", ""),
    "option": ("top", "%s", ""),
    "size": ("top", "%s", ""),
    "statistic": ("top", "%s", ""),
    "compiler.lengthrange": ("top", "<compiler>%s</compiler>", ""),
    "option.flag": ("top", "<option>%s</option>", ""),
    "custom.numeric": ("top", "<custom>%s</custom>", 'name="n" data="1"'),
    "custom.text": ("top", "<custom>%s</custom>", 'name="n" data="x"'),
    "tuple.element": (
        "end",
        '<custom><tuple name="t">%s</tuple></custom>',
        'objtype="body" objname="B"',
    ),
    "asset.mesh": ("top", "<asset>%s</asset>", 'name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"'),
    "asset.hfield": ("top", "<asset>%s</asset>", 'name="h" nrow="2" ncol="2" size="1 1 1 1"'),
    "asset.texture": (
        "top",
        "<asset>%s</asset>",
        'name="t" builtin="flat" type="2d" width="8" height="8"',
    ),
    "asset.material": ("top", "<asset>%s</asset>", 'name="m"'),
    "material.layer": (
        "top",
        '<asset><texture name="t" type="2d" builtin="flat" width="8" height="8"/><material name="m">%s</material></asset>',
        'texture="t" role="rgb"',
    ),
    "asset.skin": ("end", "<asset>%s</asset>", 'vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"'),
    "deformable.skin": (
        "end",
        "<deformable>%s</deformable>",
        'vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"',
    ),
    "skin.bone": (
        "end",
        '<deformable><skin vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">%s</skin></deformable>',
        'body="world" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"',
    ),
    "body": ("world", "%s", ""),
    "frame": ("world", "%s", ""),
    "replicate": ("world", "%s", 'count="2"'),
    "body.inertial": ("world", "<body><joint/>%s</body>", 'pos="0 0 0" mass="1" diaginertia="1 1 1"'),
    "body.joint": ("world", '<body>%s<geom size="1"/></body>', ""),
    "body.freejoint": ("world", '<body>%s<geom size="1"/></body>', ""),
    "body.geom": ("world", "%s", 'size="1 1 1"'),
    "body.site": ("world", "%s", ""),
    "body.camera": ("world", "%s", ""),
    "body.light": ("world", "%s", ""),
    "composite.joint": (
        "world",
        '<composite prefix="c" type="cable" count="5" curve="s" size="1" initial="none">'
        '<geom type="capsule" size="0.01"/>%s</composite>',
        'kind="main"',
    ),
    "composite.skin": (
        "world",
        '<composite prefix="c" type="cable" count="5" curve="s" size="1" initial="none">'
        '<geom type="capsule" size="0.01"/>%s</composite>',
        "",
    ),
    "composite.geom": (
        "world",
        '<composite prefix="c" type="cable" count="5" curve="s" size="1" initial="none">%s</composite>',
        'type="capsule" size="0.01"',
    ),
    "composite.site": (
        "world",
        '<composite prefix="c" type="cable" count="5" curve="s" size="1" initial="none">'
        '<geom type="capsule" size="0.01"/>%s</composite>',
        "",
    ),
    "body.flexcomp": ("world", "%s", 'name="f" type="grid" count="3 3 1" radius="0.001"'),
    "deformable.flex": (
        "end",
        "<deformable>%s</deformable>",
        'name="f" body="world" element="0 1 2" vertex="0 0 0 1 0 0 0 1 0"',
    ),
    "contact.pair": ("end", "<contact>%s</contact>", 'geom1="G" geom2="G2"'),
    "contact.exclude": ("end", "<contact>%s</contact>", 'body1="B" body2="world"'),
    "equality.connect": ("end", "<equality>%s</equality>", 'body1="B" anchor="0 0 0"'),
    "equality.weld": ("end", "<equality>%s</equality>", 'body1="B"'),
    "equality.joint": ("end", "<equality>%s</equality>", 'joint1="J"'),
    "equality.tendon": ("end", FIXED + "<equality>%s</equality>", 'tendon1="T"'),
    "equality.flex": (
        "flex",
        "<equality>%s</equality>",
        'flex="f"',
    ),
    "tendon.fixed": ("end", "<tendon>%s</tendon>", ""),
    "fixed.joint": ("end", '<tendon><fixed name="T">%s</fixed></tendon>', 'joint="J" coef="1"'),
    "tendon.spatial": ("end", "<tendon>%s</tendon>", ""),
    "spatial.site": (
        "end",
        '<tendon><spatial><site site="S"/>%s</spatial></tendon>',
        'site="S0"',
    ),
    "spatial.pulley": (
        "end",
        '<tendon><spatial><site site="S"/><site site="S0"/>%s<site site="S"/><site site="S0"/></spatial></tendon>',
        'divisor="2"',
    ),
    "actuator.adhesion": ("end", "<actuator>%s</actuator>", 'body="B" ctrlrange="0 1"'),
    "actuator.damper": ("end", "<actuator>%s</actuator>", 'joint="J" ctrlrange="0 1"'),
    "actuator.intvelocity": ("end", "<actuator>%s</actuator>", 'joint="J" actrange="0 1"'),
    "actuator.muscle": ("end", "<actuator>%s</actuator>", 'joint="J" lengthrange="0 1"'),
    **{
        f"actuator.{tag}": ("end", "<actuator>%s</actuator>", 'joint="J"')
        for tag in ("general", "motor", "position", "velocity", "cylinder")
    },
    "sensor.camprojection": ("end", "<sensor>%s</sensor>", 'site="S" camera="C"'),
    "sensor.user": ("end", "<sensor>%s</sensor>", 'dim="1"'),
    "keyframe.key": ("end", "<keyframe>%s</keyframe>", ""),
}
CONTENT = {
    "body": '<geom size="1"/>',
    "frame": '<geom size="1"/>',
    "replicate": '<geom size="1"/>',
    "asset.skin": '<bone body="world" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>',
    "deformable.skin": '<bone body="world" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>',
    "tendon.fixed": '<joint joint="J" coef="1"/>',
    "tendon.spatial": '<site site="S"/><site site="S0"/>',
}
for _row in ELEMENTS.values():
    _parent, _, _tag = _row.id.rpartition(".")
    if _parent == "default":
        PLACES[_row.id] = ("top", "<default>%s</default>", "")
    elif _parent == "visual" and _row.dialect == "mujoco":
        PLACES[_row.id] = ("top", "<visual>%s</visual>", "")
    elif _parent == "flexcomp" and _tag != "plugin":
        PLACES[_row.id] = (
            "world",
            '<flexcomp name="f" type="grid" count="3 3 1" radius="0.001">%s</flexcomp>',
            "",
        )
    elif _parent == "flex":
        PLACES[_row.id] = (
            "end",
            '<deformable><flex name="f" body="world" vertex="0 0 0 1 0 0 0 1 0" element="0 1 2">%s</flex></deformable>',
            "",
        )
    elif _parent == "sensor" and _row.id not in PLACES and _row.dialect == "mujoco" and _tag != "plugin":
        _known = {
            "site": 'site="S"',
            "joint": 'joint="J"',
            "tendon": 'tendon="T"',
            "actuator": 'actuator="A"',
        }
        _known |= {
            "body": 'body="B"',
            "objname": 'objname="B" objtype="body"',
            "geom1": 'geom1="G" body2="world"',
        }
        if _tag in ("ballquat", "ballangvel"):
            _known["joint"] = 'joint="JB"'
        _need = next((text for name, text in _known.items() if name in _row.attributes), "")
        PLACES[_row.id] = ("sensor", "<sensor>%s</sensor>", _need)


def model(id: str, attributes: dict[str, str], without: tuple[str, ...] = ()) -> str:
    """A model with one element of this kind that has these attributes, and what else it needs."""
    section, around, needed = PLACES[id]
    own = dict(attributes)
    for pair in needed.split('" ') if needed else ():
        name, _, value = pair.partition('="')
        if name not in own and name not in without:
            own[name] = value.rstrip('"')
    text = " ".join(f'{name}="{value}"' for name, value in own.items())
    tag = ELEMENTS[id].tag
    element = around % f"<{tag} {text}>{CONTENT.get(id, '')}</{tag}>"
    top = element if section == "top" else ""
    world = element if section == "world" else ""
    end = element if section in ("end", "flex", "sensor") else ""
    if section == "flex":
        world = '<flexcomp name="f" type="grid" count="3 3 1" radius="0.001"/>'
    if section == "sensor":
        end = FIXED + '<actuator><motor name="A" joint="J"/></actuator>' + end
    return f"<mujoco>{top}<worldbody>{BODY}{world}</worldbody>{end}</mujoco>"


def verdict(text: str) -> str:
    """The reference's answer for a model: "" if it loads, else the first line of its error."""
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        return str(error).strip().splitlines()[0]
    return ""
