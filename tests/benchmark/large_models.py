"""Texts of models with very many elements of one kind, one function a kind: what a load and a check must take in
linear time. `MODELS` lists them with the greatest number that each is tried with."""

from __future__ import annotations

from collections.abc import Callable


def _mjcf(world: str, other: str = "") -> str:
    return f"<mujoco><worldbody>{world}</worldbody>{other}</mujoco>"


def _each(count: int, row: str) -> str:
    """The row `count` times; {} in it is the number."""
    return "\n".join([row.replace("{}", str(k)) for k in range(count)])


def _spread(count: int, row: str) -> str:
    """The row `count` times; {} in it is a place on a grid where nothing touches."""
    return "\n".join(
        [row.replace("{}", f"{3 * (k % 100)} {3 * (k // 100 % 100)} {3 * (k // 10000)}") for k in range(count)]
    )


ARM = '<body name="arm"><joint name="hinge"/><geom size="1"/><site name="tip"/></body>'


def geoms_in_world(count: int) -> str:
    return _mjcf(_spread(count, '<geom size="1" pos="{}"/>'))


def geoms_in_a_body(count: int) -> str:
    return _mjcf("<body><freejoint/>" + _spread(count, '<geom size="1" pos="{}"/>') + "</body>")


def geoms_at_one_place(count: int) -> str:
    return _mjcf("<body><freejoint/>" + '<geom size="1"/>\n' * count + "</body>")


def geoms_in_bodies(count: int) -> str:
    each = max(count // 1000, 1)
    bodies = count // each
    return _mjcf(
        "\n".join(
            [
                f'<body pos="{50 * (k % 100)} {50 * (k // 100)} 0"><freejoint/>'
                + "".join([f'<geom size="1" pos="{3 * (i % 10)} {3 * (i // 10)} 0"/>\n' for i in range(each)])
                + "</body>"
                for k in range(bodies)
            ]
        )
    )


def overlapping_geoms(count: int) -> str:
    return _mjcf(_each(count, '<body><freejoint/><geom size="1"/></body>'))


def geoms_on_planes(count: int) -> str:
    return _mjcf(
        _each(count // 2, '<geom type="plane" size="1 1 1"/>')
        + "<body><freejoint/>"
        + _spread(count // 2, '<geom size="1" pos="{}"/>')
        + "</body>"
    )


def sites(count: int) -> str:
    return _mjcf(_each(count, '<site name="s{}" pos="{} 0 0"/>'))


def cameras(count: int) -> str:
    return _mjcf(_each(count, '<camera pos="{} 0 0"/>'))


def lights(count: int) -> str:
    return _mjcf(_each(count, '<light pos="{} 0 0"/>'))


def bodies(count: int) -> str:
    return _mjcf(_spread(count, '<body pos="{}"><freejoint/><geom size="1"/></body>'))


def static_bodies(count: int) -> str:
    return _mjcf(_spread(count, '<body pos="{}"><geom size="1"/></body>'))


def chain(count: int) -> str:
    """Nested as deep as a text may be; the rest stands beside."""
    deep = min(count, 400)
    one = '<body pos="0 0 3"><joint/><geom size="1"/>' * deep + "</body>" * deep
    return _mjcf("\n".join([f'<body pos="{50 * k} 0 0">{one}</body>' for k in range(-(-count // deep))]))


def star(count: int) -> str:
    return _mjcf(
        "<body><freejoint/><geom size='1'/>"
        + _spread(count, '<body pos="{}"><joint/><geom size="1"/></body>')
        + "</body>"
    )


def joints(count: int) -> str:
    return _mjcf(
        _spread(
            count // 3,
            '<body pos="{}"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide"/><geom size="1"/></body>',
        )
    )


def frames(count: int) -> str:
    return _mjcf(_each(count, '<frame pos="{} 0 0"><frame euler="0 0 1"><geom size=".1"/></frame></frame>'))


def replicate(count: int) -> str:
    return _mjcf(f'<replicate count="{count}" offset="3 0 0"><geom size="1"/></replicate>')


def replicate_bodies(count: int) -> str:
    return _mjcf(f'<replicate count="{count}" offset="3 0 0"><body><freejoint/><geom size="1"/></body></replicate>')


def keys(count: int) -> str:
    return _mjcf(ARM, "<keyframe>" + _each(count, '<key name="k{}" qpos=".1" time="{}"/>') + "</keyframe>")


def sensors(count: int) -> str:
    return _mjcf(ARM, "<sensor>" + _each(count, '<jointpos name="s{}" joint="hinge"/>') + "</sensor>")


def actuators(count: int) -> str:
    return _mjcf(
        ARM,
        "<actuator>"
        + _each(count, '<motor name="m{}" joint="hinge" ctrllimited="true" ctrlrange="-1 1"/>')
        + "</actuator>",
    )


def equalities(count: int) -> str:
    return _mjcf(ARM, "<equality>" + _each(count, '<joint joint1="hinge" polycoef="0 1 0 0 0"/>') + "</equality>")


def welds(count: int) -> str:
    return _mjcf(ARM, "<equality>" + _each(count, '<weld body1="arm"/>') + "</equality>")


def excludes(count: int) -> str:
    side = int((2 * count) ** 0.5) + 2
    pairs = [(i, j) for i in range(side) for j in range(i)][:count]
    world = _spread(side, '<body name="b{}" pos="{}"><freejoint/><geom size="1"/></body>')
    for k in range(side):
        place = f"{3 * (k % 100)} {3 * (k // 100 % 100)} {3 * (k // 10000)}"
        world = world.replace(f'name="b{place}"', f'name="b{k}"')
    return _mjcf(
        world, "<contact>" + "\n".join([f'<exclude body1="b{i}" body2="b{j}"/>' for i, j in pairs]) + "</contact>"
    )


def pairs(count: int) -> str:
    side = int((2 * count) ** 0.5) + 2
    chosen = [(i, j) for i in range(side) for j in range(i)][:count]
    world = "".join([f'<body pos="{3 * k} 0 0"><freejoint/><geom name="g{k}" size="1"/></body>' for k in range(side)])
    return _mjcf(
        world, "<contact>" + "\n".join([f'<pair geom1="g{i}" geom2="g{j}"/>' for i, j in chosen]) + "</contact>"
    )


def tendons(count: int) -> str:
    return _mjcf(
        ARM, "<tendon>" + _each(count, '<fixed name="t{}"><joint joint="hinge" coef="1"/></fixed>') + "</tendon>"
    )


def long_fixed_tendon(count: int) -> str:
    return _mjcf(ARM, "<tendon><fixed>" + '<joint joint="hinge" coef="1"/>\n' * count + "</fixed></tendon>")


def long_tendon(count: int) -> str:
    return _mjcf(
        _each(count, '<site name="s{}" pos="{} 0 0"/>'),
        "<tendon><spatial>" + _each(count, '<site site="s{}"/>') + "</spatial></tendon>",
    )


def wraps(count: int) -> str:
    world = _each(count, '<site name="s{}" pos="{} 0 0"/><geom name="g{}" size=".1" pos="{} .5 0"/>')
    path = _each(count, '<site site="s{}"/><geom geom="g{}"/>') + '<site site="s0"/>'
    return _mjcf(world, f"<tendon><spatial>{path}</spatial></tendon>")


def materials(count: int) -> str:
    return _mjcf(
        _each(count, '<geom size=".1" material="m{}" pos="{} 0 0"/>'),
        "<asset>" + _each(count, '<material name="m{}" rgba="1 0 0 1"/>') + "</asset>",
    )


def classes(count: int) -> str:
    return _mjcf(
        _each(count, '<geom class="c{}" pos="{} 0 0"/>'),
        "<default>" + _each(count, '<default class="c{}"><geom size=".1"/></default>') + "</default>",
    )


def nested_classes(count: int) -> str:
    deep = 100
    inner = "".join([f'<default class="c%d_{k}"><geom size=".{k + 1}"/>' for k in range(deep)]) + "</default>" * deep
    each = max(count // deep, 1)
    world = "\n".join([f'<geom class="c{i}_{k}" pos="{3 * k} {3 * i} 0"/>' for i in range(each) for k in range(deep)])
    return _mjcf(world, "<default>" + "".join([inner.replace("%d", str(i)) for i in range(each)]) + "</default>")


def textures(count: int) -> str:
    return _mjcf(
        _each(count, '<geom size=".1" material="m{}" pos="{} 0 0"/>'),
        "<asset>"
        + _each(
            count,
            '<texture name="t{}" builtin="flat" type="2d" width="1" height="1"/><material name="m{}" texture="t{}"/>',
        )
        + "</asset>",
    )


def meshes(count: int) -> str:
    return _mjcf(
        _each(count, '<geom type="mesh" mesh="m{}" pos="{} 0 0"/>'),
        "<asset>" + _each(count, '<mesh name="m{}" vertex="0 0 0 1 0 0 0 1 0 0 0 1.{}"/>') + "</asset>",
    )


def numerics(count: int) -> str:
    return _mjcf("", "<custom>" + _each(count, '<numeric name="n{}" data="1 2 {}"/>') + "</custom>")


def texts(count: int) -> str:
    return _mjcf("", "<custom>" + _each(count, '<text name="n{}" data="some text {}"/>') + "</custom>")


def tuples(count: int) -> str:
    return _mjcf(
        ARM,
        "<custom>" + _each(count, '<tuple name="n{}"><element objtype="body" objname="arm"/></tuple>') + "</custom>",
    )


def long_tuple(count: int) -> str:
    return _mjcf(
        ARM, '<custom><tuple name="n">' + '<element objtype="body" objname="arm"/>\n' * count + "</tuple></custom>"
    )


def long_numeric(count: int) -> str:
    return _mjcf("", '<custom><numeric name="n" data="' + " ".join([f"{k}.5" for k in range(count)]) + '"/></custom>')


def elevation(count: int) -> str:
    rows = max(count // 1000, 2)
    data = " ".join([f"{k % 7}.5" for k in range(1000 * rows)])
    return _mjcf(
        '<geom type="hfield" hfield="h"/>',
        f'<asset><hfield name="h" nrow="{rows}" ncol="1000" size="1 1 1 1" elevation="{data}"/></asset>',
    )


def mesh_vertices(count: int) -> str:
    import numpy as np

    points = np.random.default_rng(1).normal(size=(count // 3, 3)).round(4)
    data = " ".join([f"{x}" for x in points.ravel().tolist()])
    return _mjcf('<geom type="mesh" mesh="m"/>', f'<asset><mesh name="m" vertex="{data}"/></asset>')


def comments(count: int) -> str:
    return _mjcf(_each(count, "<!-- number {} -->") + '<geom size="1"/>')


def unknown_attributes(count: int) -> str:
    return _mjcf(_each(count, '<geom size="1" pos="{} 0 0" sise="2"/>'))


def unknown_attributes_in_one(count: int) -> str:
    return _mjcf('<geom size="1" ' + _each(count, 'x{}="2"') + "/>")


def unknown_names(count: int) -> str:
    return _mjcf(
        _each(count, '<site name="place{}" pos="{} 0 0"/>'),
        "<sensor>" + _each(count, '<framepos objtype="site" objname="plaice{}"/>') + "</sensor>",
    )


def unknown_elements(count: int) -> str:
    return _mjcf(_each(count, "<geon/>"))


def warned_attributes(count: int) -> str:
    """A warning each: a number with a word behind."""
    return _mjcf(_each(count, '<geom size="1" pos="{} 0 0" contype="0" user="nan"/>'))


def idle_actuators(count: int) -> str:
    return _mjcf(ARM, "<actuator>" + _each(count, '<motor name="m{}" joint="hinge" gear="0"/>') + "</actuator>")


def unused_assets(count: int) -> str:
    return _mjcf('<geom size="1"/>', "<asset>" + _each(count, '<material name="m{}"/>') + "</asset>")


def unused_classes(count: int) -> str:
    return _mjcf(
        '<geom size="1"/>',
        "<default>" + _each(count, '<default class="c{}"><geom size=".1"/></default>') + "</default>",
    )


MODELS: dict[Callable[[int], str], int] = {
    geoms_in_world: 300_000,
    geoms_in_a_body: 300_000,
    geoms_at_one_place: 300_000,
    geoms_in_bodies: 300_000,
    overlapping_geoms: 20_000,
    geoms_on_planes: 20_000,
    sites: 300_000,
    cameras: 100_000,
    lights: 100_000,
    bodies: 20_000,
    static_bodies: 20_000,
    chain: 20_000,
    star: 20_000,
    joints: 20_000,
    frames: 100_000,
    replicate: 200_000,
    replicate_bodies: 20_000,
    keys: 200_000,
    sensors: 200_000,
    actuators: 100_000,
    equalities: 100_000,
    welds: 100_000,
    excludes: 100_000,
    pairs: 100_000,
    tendons: 100_000,
    long_fixed_tendon: 100_000,
    long_tendon: 100_000,
    wraps: 100_000,
    materials: 100_000,
    classes: 100_000,
    nested_classes: 100_000,
    textures: 100_000,
    meshes: 10_000,
    numerics: 200_000,
    texts: 200_000,
    tuples: 200_000,
    long_tuple: 200_000,
    long_numeric: 1_000_000,
    elevation: 4_000_000,
    mesh_vertices: 1_000_000,
    comments: 1_000_000,
    unknown_attributes: 100_000,
    unknown_attributes_in_one: 100_000,
    unknown_elements: 100_000,
    unknown_names: 100_000,
    warned_attributes: 100_000,
    idle_actuators: 100_000,
    unused_assets: 100_000,
    unused_classes: 100_000,
}
"""(the text of a model with a number of elements) -> the number that it is tried with"""
