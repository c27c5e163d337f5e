"""The compiler process and this process produce the same result for a model: every bit, name, finding and place."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from kinetree.app.workers.compiler.client import Compiler
from kinetree.app.workers.compiling import CompileRequest, CompileResult, check_file, compile_file
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.files import read_file
from kinetree.engine.document.project import Project
from kinetree.engine.model.fields import TABLES
from kinetree.engine.model.model import Model
from tests.corpus import listed
from tests.engine.model.test_kinds import EVERY_KIND

ROOT = Path(__file__).resolve().parents[4]
MODELS = sorted(path for path in (ROOT / "resources" / "models").rglob("*.*") if path.suffix in (".xml", ".urdf"))
CORPUS = ROOT.parent / "shared" / "corpus"
EVERY = 40
"""Of the corpus, one model in so many is looked at here."""


@pytest.fixture(scope="module")
def compiler():
    made = Compiler()
    yield made
    made.close()
    assert made.pid is None


def place(node):
    return node.source.path, node.start, node.tag


def bits(value):
    array = np.asarray(value)
    return array.dtype.name, array.shape, array.tobytes()


def same_models(here: Model, there: Model) -> None:
    assert there.sizes == here.sizes
    for field in TABLES["Model"]:
        assert bits(getattr(there, field.name)) == bits(getattr(here, field.name)), field.name
    assert there.names == here.names
    assert (there.name, there.texts, there.format) == (here.name, here.texts, here.format)
    for section, values in vars(here.vis).items():
        for name, value in vars(values).items():
            other = getattr(getattr(there.vis, section), name)
            assert type(other) is type(value) and bits(other) == bits(value), (section, name)
    assert [(g.diagnostic, g.text, g.holds(there)) for g in there.gaps] == [
        (g.diagnostic, g.text, g.holds(here)) for g in here.gaps
    ]
    assert there.structure == here.structure


def same_origins(here: Model, there: Model) -> None:
    """Every object comes from the same places, and every element leads to the same objects."""
    if here.provenance is None:
        assert there.provenance is None
        return
    mine, other = here.provenance, there.provenance
    assert list(mine) == list(other)

    def identity(provenance, value):
        (element, chain), number = value
        of = provenance.nodes.of
        return place(of(element)), tuple((place(of(step)), index) for step, index in chain), number

    for kind in here.names:
        assert [identity(mine, each) for each in mine.identities(kind)] == [
            identity(other, each) for each in other.identities(kind)
        ]
    for each in mine:
        one, two = mine.origin(*each), other.origin(*each)
        assert place(one.node) == place(two.node)
        assert [(place(s.node), s.index, s.prefix) for s in one.made_by] == [
            (place(s.node), s.index, s.prefix) for s in two.made_by
        ]
        assert list(map(place, one.defaults)) == list(map(place, two.defaults))
        assert list(map(place, one.frames)) == list(map(place, two.frames))
        assert list(map(place, one.node.ancestors())) == list(map(place, two.node.ancestors()))
        for node, same in ((one.node, two.node), *zip(one.node.ancestors(), two.node.ancestors(), strict=True)):
            assert mine.shown_by(node) == other.shown_by(same)
            assert mine.objects_of(node) == other.objects_of(same)
            assert mine.made_by(node) == other.made_by(same)
            assert mine.fused_into(node) == other.fused_into(same)
        for node, same in zip(one.defaults, two.defaults, strict=True):
            assert mine.inheriting(node) == other.inheriting(same)
        at = one.node.source.path, *one.node.source.line_column(one.node.start + 1)
        assert place(mine.at(*at)) == place(other.at(*at))
        assert other.node(two.node.id) is two.node


def same(here: CompileResult, there: CompileResult) -> None:
    for name in ("path", "diagnostics", "files", "hashes", "recognised"):
        assert getattr(there, name) == getattr(here, name), name
    assert [(r.key, r.problem, r.similar) for r in there.reads] == [(r.key, r.problem, r.similar) for r in here.reads]
    for one, two in zip(here.reads, there.reads, strict=True):
        if one.parsed is not None:
            assert two.text.source.data == one.text.source.data and two.text.source.path == one.text.source.path
            assert two.text.source.encoding == one.text.source.encoding
            assert two.text.diagnostics == one.text.diagnostics
    assert (there.document is None) == (here.document is None)
    if here.document is not None:
        for name in ("path", "main_file", "base", "files", "missing", "pending"):
            assert getattr(there.document, name) == getattr(here.document, name), name
        assert there.document.diagnostics.items == here.document.diagnostics.items
    assert (there.model is None) == (here.model is None)
    if here.model is not None:
        same_models(here.model, there.model)
        same_origins(here.model, there.model)


def compare(compiler: Compiler, path: str) -> None:
    here = compile_file(path, keep=True)
    there = compiler.compile(CompileRequest(path))
    same(here, there)
    assert compiler.check(there) == check_file(here)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_bundled_models(compiler, path):
    compare(compiler, str(path))


def test_an_examination_has_the_findings_alone(tmp_path):
    path = written(tmp_path)
    texts = [
        path.read_text(),
        path.read_text().replace("size='.1'", "size='big'"),
        "<mujoco><worldbody><body><joint range='1 1'/><geom size='1' mass='1e-9'/></body></worldbody></mujoco>",
        "<mujoco",
    ]
    project = Project()
    project.open(read_file(str(path)))
    with closing(Compiler()) as compiler:
        for text in texts:
            project.apply("Edit", {str(path): [Edit(0, len(project.text(str(path))), text)]})
            document = project.snapshot(str(path)).document
            here = compile_file(str(path), keep=True, document=document)
            expected = check_file(here) if here.examined is not None else here.diagnostics
            assert compiler.examine(CompileRequest(str(path), document)) == expected
            same(compile_file(str(path), document=document), compiler.compile(CompileRequest(str(path), document)))


@pytest.mark.parametrize("row", listed(CORPUS)[::EVERY], ids=lambda row: row.place)
def test_models_of_the_corpus(compiler, row):
    compare(compiler, str(row.path))


def written(folder: Path) -> Path:
    """A model with includes in each other, an attached model twice that includes a file, and copies."""
    (folder / "inner.xml").write_text(
        "<mujoco><body name='i'><joint name='ij'/><geom name='ig' size='.1'/></body></mujoco>"
    )
    (folder / "mid.xml").write_text(
        "<mujoco><frame pos='0 0 1'><include file='inner.xml'/></frame><geom name='mg' size='.2'/></mujoco>"
    )
    (folder / "bits.xml").write_text(
        "<mujoco><default><default class='c'><geom rgba='1 0 0 1'/></default></default></mujoco>"
    )
    (folder / "part.xml").write_text(
        "<mujoco model='part'><include file='bits.xml'/><worldbody><body name='p'><freejoint/>"
        "<geom size='.1'/><replicate count='2'><body name='b'><joint/><geom class='c' size='.1'/></body></replicate>"
        "</body></worldbody></mujoco>"
    )
    main = folder / "main.xml"
    main.write_text(
        "<mujoco>\n<compiler fusestatic='true'/><size nkey='3'/>\n"
        "<asset><model name='one' file='part.xml'/><model name='two' file='part.xml'/></asset>\n"
        "<default><geom friction='.5'/></default>\n"
        "<worldbody>\n<body name='still'><geom size='.1'/><include file='mid.xml'/></body>\n"
        "<attach model='one' body='p' prefix='x'/><attach model='two' body='p' prefix='y'/>\n"
        "<replicate count='3' offset='1 0 0'><body><joint/><geom size='.1'/></body></replicate>\n"
        "<composite type='cable' count='5 1 1' size='1' curve='s'><geom type='capsule' size='.01'/></composite>\n"
        "</worldbody>\n<keyframe><key name='k'/></keyframe></mujoco>"
    )
    return main


def test_includes_attached_models_and_copies(compiler, tmp_path):
    path = str(written(tmp_path))
    assert compile_file(path).model is not None
    compare(compiler, path)


def test_every_kind_of_object(compiler, tmp_path):
    path = tmp_path / "every.xml"
    path.write_text(EVERY_KIND)
    compare(compiler, str(path))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<mujoco>",
        b"\x89KINETREE MODEL\n",
        "<mujoco model='\u00e4\u4e2d'/>".encode("utf-16"),
        b"<mujoco model='\xff'><worldbody/></mujoco>",
        b"<mujoco><include file='gone.xml'/></mujoco>",
        b"<mujoco><worldbody><body><geom size='x'/></body></worldbody></mujoco>",
        b"<a>" * 2000,
        b"<mujoco><option><flag energy='enable'/></option><visual><map znear='1e-3'/></visual></mujoco>",
    ],
    ids=range(9),
)
def test_odd_and_wrong_files(compiler, tmp_path, data):
    path = tmp_path / "odd.xml"
    path.write_bytes(data)
    compare(compiler, str(path))
    compare(compiler, str(tmp_path / "missing.xml"))
    compare(compiler, str(tmp_path))


def test_a_binary_model(compiler, tmp_path):
    import kinetree

    path = tmp_path / "arm.kmodel"
    kinetree.save(kinetree.load(ROOT / "resources" / "models" / "arm.xml"), path)
    compare(compiler, str(path))


# ---- versions of a text ------------------------------------------------------------------------------------


class Session:
    """A project whose versions are compiled in both processes."""

    def __init__(self, compiler: Compiler, path: str):
        self.compiler, self.path, self.project = compiler, path, Project()
        result = compiler.compile(CompileRequest(path, fresh=True))
        self.project.open(result.reads[0])
        self.project.provide(*result.reads[1:])

    def look(self) -> CompileResult:
        """Compile the present version twice and compare; elements have the same ids in both."""
        document = self.project.snapshot(self.path).document
        here = compile_file(self.path, document=document)
        there = self.compiler.compile(CompileRequest(self.path, document))
        same(here, there)
        if here.model is not None and not {read.key for read in here.reads} - set(document.known):
            own = [here.model.provenance.identities(kind) for kind in here.model.names]
            assert own == [there.model.provenance.identities(kind) for kind in there.model.names]
        self.project.provide(*there.reads)
        return there

    def edit(self, old: str, new: str, path: str = "") -> CompileResult:
        path = path or self.path
        start = self.project.text(path).index(old)
        self.project.apply("Edit", {path: [Edit(start, start + len(old), new)]})
        return self.look()


def operations(compiler: Compiler) -> list[str]:
    """Records the operations sent about the texts from now on."""
    sent: list[str] = []
    texts = compiler._process.texts
    plain = type(texts).operations

    def noted(known, arrays):
        found = plain(texts, known, arrays)
        sent.extend(each["do"] for each in found)
        return found

    texts.operations = noted
    return sent


def test_edits_are_sent_as_edits(compiler, tmp_path):
    session = Session(compiler, str(written(tmp_path)))
    mid = str(tmp_path / "mid.xml")
    sent = operations(compiler)
    try:
        session.look()
        assert set(sent) == {"found"}  # what it has read itself is not sent back
        sent.clear()
        session.edit("size='.1'", "size='.15'")
        session.edit("name='mg'", "name='\U0001f600\ud800'", mid)
        session.edit("<geom size='.1'/></body></replicate>", "<geom size='.1'/><site/></body></replicate>")
        session.edit("count='3'", "count='4'")
        assert sent == ["edit"] * 4
        for step in ("<body", "</worldbody>", "<worldbody>"):  # no models at all for a while
            session.edit(step, "<!-- " + step)
        for _ in range(3):
            session.project.undo()
        session.look()
        assert sent[4:] == ["edit"] * 6
        while session.project.undo() is not None:
            session.look()
        while session.project.redo() is not None:
            session.look()
        assert set(sent) == {"edit"}
        sent.clear()
        whole = session.project.text(session.path)
        session.edit(whole, whole.replace("<body", "<!-- --><body"))
        session.edit("file='part.xml'", "file='gone.xml'")
        session.edit("<worldbody>", "<worldbody><include file='new.xml'/>")
        (tmp_path / "new.xml").write_text("<mujoco><geom size='.3'/></mujoco>")
        session.project = Project()
        session.project.open(read_file(session.path))
        session.look()
        assert "whole" in sent  # a text without known edits
        session.edit("<worldbody>", "<worldbody><include file='new.xml'/>")
        session.edit("</worldbody>", "<light/></worldbody>")
    finally:
        del compiler._process.texts.operations


def test_texts_that_are_out_of_step_are_sent_whole(compiler, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    session = Session(compiler, str(path))
    session.look()
    other = read_file(str(tmp_path / "model.xml")).text
    known = compiler._process.texts._known
    known[str(path)] = type(known[str(path)])(str(path), other)  # as if that had been sent
    after = other.edited([Edit(0, 0, "<!-- -->"), Edit(len(other.source.text), len(other.source.text), " ")])
    after.ancestry = (type(after.ancestry[0])(other.number, (Edit(900, 901, ""),), ()),)
    document = session.project.snapshot(str(path)).document.with_parsed({str(path): after})
    same(compile_file(str(path), document=document), compiler.compile(CompileRequest(str(path), document)))
