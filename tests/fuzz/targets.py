"""The readers of bytes: TARGETS has for each name what is done with an input, and which errors it may end in."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.fuzz import repair, seeds

Made = tuple[Callable[[bytes], object], tuple[type[BaseException], ...]]


@dataclass(frozen=True)
class Target:
    """One reader.

    make      imports it; the function to call with an input, and its declared errors
    seeds     inputs to begin with
    modules   prefixes of the modules that a campaign instruments
    largest   bytes of an input
    words     pieces that mutations put in
    said      a pattern of a library's allowed output on standard error
    """

    name: str
    make: Callable[[], Made]
    seeds: Callable[[], list[bytes]]
    modules: tuple[str, ...]
    largest: int = 8192
    words: tuple[bytes, ...] = ()
    said: str = ""


# ---- the text of models --------------------------------------------------------------------------------------


def _source() -> Made:
    """Decoding keeps every byte, and the parser tells places inside of the text."""
    from kinetree.engine.diagnostics import Diagnostics, ModelError
    from kinetree.engine.document.source import decode_source
    from kinetree.engine.document.tree import parse

    folder = Path(tempfile.gettempdir())

    def run(data: bytes) -> None:
        found = Diagnostics()
        source = decode_source("f.xml", data, found, folder)
        assert source.data == data, "saved as other bytes"
        again = source.with_text(source.text)
        assert again.data == data, "saved as other bytes after an edit"
        root = parse(source, found)
        for item in found:
            assert 1 <= item.line <= len(source.line_starts) and item.column >= 1 and item.message
        stack = [root] if root.tag else []
        while stack:
            node = stack.pop()
            assert node.span.start < node.head_span.end <= node.end <= len(source.text)
            assert source.text[node.start] == "<"
            stack.extend(node.children)

    return run, (ModelError,)


def _reparse() -> Made:
    """Parsing after an edit gives what parsing the whole text gives. The first bytes of an input tell the edit."""
    from kinetree.engine.document.edit import Edit, apply
    from kinetree.engine.document.parsed import ParsedSource
    from kinetree.engine.document.source import Source
    from tests.engine.document.test_reparse import face

    def parsed(text: str) -> ParsedSource:
        return ParsedSource.parse(Source("m.xml", None, text, Path("/")))

    def run(data: bytes) -> None:
        head, text = data[:5], data[5:].decode("utf-8", "surrogateescape")
        head = head.ljust(5, b"\0")
        put, text = text[: head[4] % 32], text[head[4] % 32 :]
        start = min(len(text), int.from_bytes(head[:2], "little"))
        end = min(len(text), start + head[2] * (1 + head[3] % 4))
        edits = [Edit(start, end, put)]
        assert face(parsed(text).edited(edits)) == face(parsed(apply(text, edits))), "another parse than of the whole"

    return run, ()


def _folder(name: str) -> Path:
    """An empty folder; a campaign deletes it at its end."""
    return Path(tempfile.mkdtemp(prefix=f"{name}-"))


def _model() -> Made:
    """A whole model: decoded, parsed, compiled and checked."""
    from kinetree.engine.check.run import examine
    from kinetree.engine.compile.compiler import compile_document
    from kinetree.engine.diagnostics import Diagnostics, ModelError
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.files import DocumentFiles
    from kinetree.engine.document.parsed import ParsedSource
    from kinetree.engine.document.source import decode_source

    folder = seeds.asset_folder(_folder("model"))
    path = str(folder / "model.xml")

    def run(data: bytes) -> None:
        found = Diagnostics()
        parsed = ParsedSource.parse(decode_source(path, data, found, folder), found.items)
        document = Document(parsed, path, str(folder), str(folder), DocumentFiles({}, {}))
        compiled = compile_document(document)
        for item in (*compiled.diagnostics, *examine(compiled, document)):
            assert item.severity.value != "error" and item.line >= 1 and item.column >= 1 and item.message

    return run, (ModelError,)


# ---- files that models refer to ------------------------------------------------------------------------------


def _mesh(extension: str) -> Callable[[], Made]:
    def make() -> Made:
        import numpy as np

        from kinetree.engine.resources.meshfile import read
        from kinetree.engine.resources.raw_mesh import BadMesh

        if extension == "dae":
            import collada  # noqa: F401 (imported at the first use otherwise, inside of the first input)

        def run(data: bytes) -> None:
            raw = read(data, f"m.{extension}")
            assert len(raw.vert) or raw.face is None
            for index, count in (
                (raw.face, len(raw.vert)),
                (raw.facenormal, 0 if raw.normal is None else len(raw.normal)),
                (raw.facetexcoord, 0 if raw.texcoord is None else len(raw.texcoord)),
            ):
                if index is not None and len(index):
                    least = 0 if index is raw.face else -1
                    assert np.min(index) >= least and np.max(index) < count, "an index without its point"

        return run, (BadMesh,)

    return make


def _shape() -> Made:
    """A mesh with its hull, inertia and graph, as a model has it. Inputs are MSH files."""
    import kinetree
    from kinetree.engine.diagnostics import ModelError

    folder = _folder("shape")
    text = (
        '<mujoco><asset><mesh name="m" file="m.msh" {}/></asset><worldbody><body><freejoint/>'
        '<geom type="mesh" mesh="m"/></body><geom type="box" mesh="m"/></worldbody></mujoco>'
    )
    ways = ("", 'inertia="shell"', 'inertia="exact" scale="-1 2 3"', 'maxhullvert="5" smoothnormal="true"')
    path = folder / "m.msh"

    def run(data: bytes) -> None:
        path.write_bytes(data)
        kinetree.load_string(text.format(ways[len(data) // 4 % len(ways)]), base=folder)

    return run, (ModelError,)


def _gmsh() -> Made:
    from kinetree.engine.expand.flexcomp import gmsh
    from kinetree.engine.expand.flexcomp.points import BadFlexcomp

    def run(data: bytes) -> None:
        shape = gmsh.read(data)
        assert shape.element.min() >= 0 and shape.element.max() < len(shape.point)

    return run, (BadFlexcomp,)


def _skin() -> Made:
    from kinetree.engine.compile.assets.skin import BadSkin, _read

    return _read, (BadSkin,)


def _hfield() -> Made:
    from kinetree.engine.compile.assets.hfield import BadHeights, _from_file

    def run(data: bytes) -> None:
        name = "h.png" if data[:4] == b"\x89PNG" else "h.bin"
        heights = _from_file({"file": name}, repair.png(data))  # type: ignore[arg-type] (only asked for attributes)
        assert heights.ndim == 2 and heights.size

    return run, (BadHeights,)


def _png() -> Made:
    from kinetree.engine.resources.image import BadImage, is_srgb, png

    def run(data: bytes) -> None:
        data = repair.png(data)
        is_srgb(data)
        for channels in (1, 3, 4):
            pixels = png(data, channels)
            assert pixels.ndim == 3 and pixels.shape[2] == channels and pixels.size

    return run, (BadImage,)


def _picture() -> Made:
    """Textures of each kind of file."""
    from kinetree.engine.compile.assets import texture
    from kinetree.engine.compile.assets.texture import BadTexture

    def run(data: bytes) -> None:
        made, _ = texture._custom(data, 1 + 2 * (len(data) % 2))
        assert made.ndim == 3

    return run, (BadTexture,)


def _ktx() -> Made:
    from kinetree.engine.resources import ktx
    from kinetree.engine.resources.image import BadImage

    def run(data: bytes) -> None:
        data = repair.ktx(data)
        faces, _ = ktx.check(data)
        picture = ktx.read(data)
        assert picture.levels and all(len(level) == faces for level in picture.levels)

    return run, (BadImage,)


# ---- our own files -------------------------------------------------------------------------------------------


def _kmodel() -> Made:
    from kinetree.engine.model.data import Data
    from kinetree.engine.storage import binary

    binary._visual()

    def run(data: bytes) -> None:
        Data(binary._model(repair.kmodel(data), "m.kmodel"))

    return run, (binary._Bad,)


def _journal() -> Made:
    """Journal of a crash: state.json, then a text. It must cause no error, whatever it contains."""
    from kinetree.app.workers.journal import left_sessions
    from kinetree.app.workspace.recovery import describe

    root = _folder("journal")

    def run(data: bytes) -> None:
        state, _, text = data.partition(b"\n")
        session = root / "session"
        session.mkdir(exist_ok=True)
        (session / "state.json").write_bytes(state)
        (session / "a.txt").write_bytes(text)
        for each in left_sessions(root):
            describe(each)
            os.path.exists(each.main)
            for file in each.files:
                os.path.abspath(file.path)

    return run, ()


def _settings() -> Made:
    from kinetree.app.panels.analysing.plots.curves import read_state
    from kinetree.app.settings.settings import Settings
    from kinetree.app.settings.table import SETTINGS

    root = _folder("settings")
    numbers = iter(range(1 << 62))

    def run(data: bytes) -> None:
        folder = root / str(next(numbers))  # Qt keeps what it has read of a file
        folder.mkdir()
        (folder / "kinetree.ini").write_bytes(data)
        try:
            settings = Settings(str(folder))
            for row in SETTINGS:
                value = settings.value(row.name)
                assert type(value) is type(row.default), row.name
                if isinstance(value, int | float) and not isinstance(value, bool):
                    assert row.least <= value <= row.most, row.name
            settings.recent(), settings.keys(), settings.used_actions(), settings.hidden_checks, settings.folder
            settings.layout("window")
            for name in ("plots", "watch", "viewports"):
                read_state(settings.of_model("/m/a.xml", name))
        finally:
            shutil.rmtree(folder)

    return run, ()


def _views() -> Made:
    """Stored state of a model's viewports. It must cause no error, whatever it contains."""
    import kinetree
    from kinetree.app.settings.settings import parsed
    from kinetree.app.viewport.remembering import _section_of, measurements_of
    from kinetree.app.workspace.bookmarks import camera_of
    from tests.engine.storage.test_binary import TEXT

    model = kinetree.load_string(TEXT)

    def run(data: bytes) -> None:
        record = parsed(data.decode("utf-8", "replace"))
        for each in record if isinstance(record, list) else [record]:
            camera_of(each, model)
            measurements_of(each, model)
            _section_of(each)

    return run, ()


# ---- recordings and formulas ---------------------------------------------------------------------------------


def _motion(extension: str) -> Callable[[], Made]:
    def make() -> Made:
        from kinetree.engine.run.motion import Motion

        path = _folder("motion") / f"m.{extension}"

        def run(data: bytes) -> None:
            path.write_bytes(repair.npz(data) if extension == "npz" else data)
            motion = Motion.load(path)
            assert len(motion.times) and motion.course() and motion.duration >= 0

        return run, (ValueError,)

    return make


def _expression() -> Made:
    import kinetree
    from kinetree.engine.run.expression import ExpressionError, parse
    from tests.engine.storage.test_binary import TEXT

    model = kinetree.load_string(TEXT)

    def run(data: bytes) -> None:
        parse(model, data.decode("utf-8", "surrogateescape"))

    return run, (ExpressionError,)


XML = (
    b"<", b">", b"/>", b"</", b'"', b"'", b"&", b"=", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?xml", b"?>", b"&#0;", b"&amp;",
    b"<!DOCTYPE x [", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0", b"\xff", b"\xed\xa0\x80", b'encoding="utf-7"',
)  # fmt: skip


@cache
def _mjcf_words() -> tuple[bytes, ...]:
    from kinetree.engine.mjcf.schema import ELEMENTS

    tags = {f"<{row.tag} ".encode() for row in ELEMENTS.values()}
    names = {f'{name}="'.encode() for row in ELEMENTS.values() for name in row.attributes}
    return (*XML, *sorted(tags), *sorted(names), b'"-1"', b'"1e308"', b'"nan"', b'"0 0 0"', b'"world"')


JSON = (
    b"{",
    b"}",
    b"[",
    b"]",
    b"[" * 3000,
    b'{"a":' * 3000,
    b"null",
    b"NaN",
    b"1e999",
    b"true",
    b'"\\ud800"',
    b'"\\u0000"',
    b"-",
)
DOCUMENT = ("kinetree.engine.document",)
MODEL = (
    "kinetree.engine.document", "kinetree.engine.mjcf", "kinetree.engine.expand", "kinetree.engine.formats", "kinetree.engine.compile", "kinetree.engine.check",
    "kinetree.engine.resources",
)  # fmt: skip

TARGETS = {
    target.name: target
    for target in (
        Target("stl", _mesh("stl"), seeds.stl, ("kinetree.engine.resources", "kinetree.engine.geometry"), 4096, (b"solid", b"vertex ", b"nan ")),
        Target("obj", _mesh("obj"), seeds.obj, ("kinetree.engine.resources",), 4096, (b"v ", b"vt ", b"vn ", b"f ", b"\no a\n", b"-1", b"//", b"/")),
        Target("msh", _mesh("msh"), seeds.msh, ("kinetree.engine.resources",), 4096),
        Target("gmsh", _gmsh, seeds.gmsh, ("kinetree.engine.expand.flexcomp",), 4096, (b"$Nodes\n", b"$EndNodes", b"$Elements\n", b"4.1", b"2.2")),
        Target("skin", _skin, seeds.skin, ("kinetree.engine.compile.assets.skin",), 4096),
        Target("hfield", _hfield, seeds.hfield, ("kinetree.engine.compile.assets.hfield", "kinetree.engine.resources"), 4096),
        Target("picture", _picture, seeds.pictures, ("kinetree.engine.compile.assets.texture", "kinetree.engine.resources"), 2048),
        Target("ktx", _ktx, seeds.ktx, ("kinetree.engine.resources",), 4096, (b"KTXswizzle\0", b"KTXorientation\0", b"rgba", b"S=r,T=u")),
        Target("png", _png, seeds.png, ("kinetree.engine.resources", "PIL.PngImagePlugin"), 4096, (b"IDAT", b"IEND", b"PLTE", b"tRNS", b"sRGB", b"iCCP", b"zTXt", b"acTL", b"fcTL", b"fdAT")),
        Target("kmodel", _kmodel, seeds.kmodel, ("kinetree.engine.storage",), 65536, JSON),
        Target("expression", _expression, seeds.expressions, ("kinetree.engine.run.expression", "kinetree.engine.run.expression_names", "kinetree.engine.arithmetic", "kinetree.engine.run.expression_tree", "kinetree.engine.run.recorder"), 512, (b"qpos", b"[0]", b"(" * 300, b"**", b"9" * 50, b'joint("', b"-" * 500, b"lambda:", b"\0")),
        Target("motion_csv", _motion("csv"), seeds.motion_csv, ("kinetree.engine.run.motion",), 2048, (b"time", b"nan", b'"', b"\0", b"1e999", b"," * 30)),
        Target("motion_npz", _motion("npz"), seeds.motion_npz, ("kinetree.engine.run.motion", "kinetree.engine.run.npz", "zipfile", "numpy.lib"), 4096, (b"'descr': ", b"'|O'", b"'<U4'", b"'shape': (", b"PK\x01\x02")),
        Target("source", _source, seeds.texts, DOCUMENT, 4096, XML),
        Target("reparse", _reparse, lambda: [b"\x10\0\3\0\5<a>b " + data for data in seeds.texts(2500)], DOCUMENT, 2048, XML),
        Target("journal", _journal, seeds.journal, ("kinetree.app.workers.journal", "kinetree.app.workspace.recovery"), 20_000, JSON),
        Target("settings", _settings, seeds.settings, ("kinetree.app.settings", "kinetree.app.panels.analysing.plots.curves"), 8192, (b"@ByteArray(", b"@Variant(", b"@Invalid()", b"\\x", b"nan", b"1e999", *JSON), r"(Trying to construct an instance of an invalid type.*|QVariant::.*)\n"),
        Target("views", _views, seeds.views, ("kinetree.app.viewport.remembering", "kinetree.app.workspace.bookmarks"), 20_000, JSON),
        Target("dae", _mesh("dae"), seeds.dae, ("kinetree.engine.resources", "collada"), 4096, (*XML, b'count="', b"<p>", b"<vcount>", b'stride="', b"nan", b"#v")),
        Target("shape", _shape, seeds.msh, ("kinetree.engine.compile.assets", "kinetree.engine.resources"), 2048),
        Target("x_xy", _model, seeds.x_xy, MODEL, 8192, (*XML, b'joint="', b'dim="', b'"frozen"', b'"nan"', b'"1e308"')),
        Target("urdf", _model, seeds.urdf, MODEL, 8192, (*XML, b"<link ", b"<joint ", b'<mimic joint="', b"<origin ", b'"nan"', b'"1e308"', b"package://")),
        Target("mjcf", _model, lambda: seeds.mjcf() + seeds.assets(), MODEL, 6000, _mjcf_words()),
    )
}  # fmt: skip
