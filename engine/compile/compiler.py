"""Read first: compiles the document of a model into a Model, pass by pass.

    compile_document(document)   the Model of a document with the warnings about it; ModelError with all errors
                                 (engine/storage/loading.py does this for files and texts)

A pass reports what it finds and goes on where it can, so that several errors show at once; between groups of
passes errors end the work. `progress(done, total, name)` is called between passes, `cancelled() -> bool` also now and
then within them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine import formats
from kinetree.engine.compile import memory_estimate, mpex, settings, unsimulated, user_data
from kinetree.engine.compile.assets.assets import Assets
from kinetree.engine.compile.derived import constants, length_range, mesh_boxes, overflow, structure
from kinetree.engine.compile.derived.kept import PassCache
from kinetree.engine.compile.indexing import ObjectIndex
from kinetree.engine.compile.mechanism import actuator, hard, relations, sensor, tendon
from kinetree.engine.compile.origins import of_index
from kinetree.engine.compile.provenance import Nodes, Provenance
from kinetree.engine.compile.soft.flex import Flexes
from kinetree.engine.compile.tree import static
from kinetree.engine.compile.tree.bodies import BodyTree
from kinetree.engine.compile.tree.discard import discard
from kinetree.engine.diagnostics import Diagnostics, ModelError
from kinetree.engine.expand import actuator_shortcuts
from kinetree.engine.expand.expander import expand
from kinetree.engine.expand.models import ModelAssets
from kinetree.engine.jit.uncompiled import Lists
from kinetree.engine.mjcf.reader import read
from kinetree.engine.mjcf.validate import validate
from kinetree.engine.model.model import Model
from kinetree.engine.progress import Cancelled
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.mjcf.defaults import Defaults
    from kinetree.engine.mjcf.elements import Spec

PASSES = (
    "check the text",
    "read",
    "expand",
    "number",
    "assets",
    "tree",
    "relations",
    "constants",
    "length ranges",
    "check the numbers",
    "what cannot be simulated",
)
_constants = PassCache()


@dataclass
class CompiledModel:
    """Result of compiling a document.

    model            the model
    diagnostics      warnings and remarks about it
    files            every file that was read, for the file watch
    index, defaults  the elements and default classes that it was made from, for `kinetree.engine.check`
    """

    model: Model
    diagnostics: Diagnostics
    files: list[str] = field(default_factory=list)
    index: ObjectIndex | None = None
    defaults: Defaults | None = None


def compile_document(
    document: Document,
    progress: Callable[[int, int, str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    seed: int | None = None,
) -> CompiledModel:
    """The model of a document, with the warnings about it and the files that it consists of.

    `seed`: what random parts of x_xy models are drawn from.

    Raises ModelError, and Cancelled where `cancelled` returns True: it is asked before each pass.
    """
    diagnostics = Diagnostics(document.diagnostics.items)
    files = list(document.files)
    compilation = _Compilation(document, diagnostics, files, seed, cancelled)
    with np.errstate(all="ignore"):
        for done, name in enumerate(PASSES):
            if cancelled is not None and cancelled():
                raise Cancelled
            if progress is not None:
                progress(done, len(PASSES), name)
            try:
                getattr(compilation, name.replace(" ", "_"))()
            except (ArithmeticError, ValueError) as error:
                if isinstance(error, ValueError) and error.args != ("math domain error",):
                    raise
                message = tr("numbers of this model are too large to compute with; use smaller ones")
                diagnostics.error(document.source, "out-of-range", message)
                raise ModelError(diagnostics.items) from None
            except RecursionError:
                diagnostics.error(document.source, "too-deep", tr("bodies are nested too deep; make the model flatter"))
                raise ModelError(diagnostics.items) from None
    if progress is not None:
        progress(len(PASSES), len(PASSES), "done")
    compilation.model.spec = compilation.spec
    if compilation.format is not None:
        compilation.model.format = compilation.format.NAME
    return CompiledModel(compilation.model, diagnostics, files, compilation.index, compilation.defaults)


def documents_of(spec: Spec) -> list[Document]:
    """The document of a specification and those of the models that it attaches, each once."""
    found: dict[int, Document] = {}
    waiting = [spec]
    while waiting:
        each = waiting.pop()
        if each.document is not None:
            found[id(each.document)] = each.document
        waiting += each.models.values()
    return list(found.values())


class _Compilation:
    """The passes over one document."""

    model: Model
    defaults: Defaults | None = None

    def __init__(
        self,
        document: Document,
        diagnostics: Diagnostics,
        files: list[str],
        seed: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ):
        self.seed = seed
        self.document = document
        self.cancelled = cancelled or (lambda: False)
        self.diagnostics = diagnostics
        self.files = files

    def check_the_text(self) -> None:
        """Report malformed XML, failed includes, and what the schema does not allow."""
        self.diagnostics.raise_if_errors()
        memory_estimate.check_text(self.document, self.diagnostics)
        self.root = self.document.merged
        self.format = formats.of(self.root.tag)
        if self.format is not None:  # readers of other formats check while reading
            return
        self.models = ModelAssets(self.document, self.diagnostics, self.files)
        self.defaults = validate(
            self.root, self.diagnostics, attached=self.models.defaults, files=self.document.trees.values()
        )
        if self.root.tag != "mujoco":
            self.diagnostics.raise_if_errors()

    def read(self) -> None:
        """Read elements with typed values and apply defaults; report what is not supported."""
        folder = self.document.base
        if self.format is not None:
            reading = formats.ReaderArguments(str(folder), self.seed)
            self.spec = self.format.read(self.root, self.diagnostics, reading)
            self.spec.folder = folder
        else:
            self.spec = read(self.root, self.diagnostics, self.defaults, folder)
            self.spec.models = self.models.specs()
            if self.defaults is not None:
                actuator_shortcuts.check_classes(self.defaults, self.diagnostics)
        self.spec.document = self.document
        self.diagnostics.raise_if_errors()

    def expand(self) -> None:
        """Expand frames, replicas, attached models, composite and deformable objects; fuse static bodies."""
        expand(self.spec, self.diagnostics, self.files)
        if self.spec.compiler["fusestatic"] and not self.diagnostics.has_errors:
            static.fuse(self.spec, self.diagnostics)
        self.diagnostics.raise_if_errors()

    def number(self) -> None:
        """Give objects their ids and check names."""
        self.index = ObjectIndex(self.spec, self.diagnostics)
        memory_estimate.check_bodies(self.index, self.diagnostics)
        relations.order_contacts(self.index)

    def assets(self) -> None:
        """Read and process mesh, height field, skin and texture files."""
        self.loaded = Assets(self.index, self.diagnostics, self.files)
        if self.spec.compiler["discardvisual"] and not self.diagnostics.has_errors:
            discard(self.index, self.loaded, self.diagnostics)
            self.diagnostics.raise_if_errors()
            self.number()
            self.loaded = Assets(self.index, self.diagnostics, self.files)

    def tree(self) -> None:
        """Compute poses, shapes and masses; then allocate the model and fill in the tree."""
        tree = BodyTree(self.index, self.loaded, self.diagnostics)
        self.diagnostics.raise_if_errors()
        flexes = Flexes(self.index, tree.poses, self.diagnostics)
        self.actuators = [actuator_shortcuts.parameters(element) for element in self.index.objects["actuator"]]
        sizes = self.index.sizes() | user_data.sizes(self.index, self.diagnostics) | self.loaded.sizes()
        sizes["na"] = sum(max(actuator_shortcuts.activations(a), 0) for a in self.actuators)
        sizes["nsensordata"] = sensor.size(self.index, self.diagnostics)
        sizes |= self.index.plugins.sizes()
        sizes |= tree.structure.sizes | flexes.sizes()
        memory_estimate.check(sizes, self.root.tag_span, self.diagnostics)
        self.diagnostics.raise_if_errors()
        model = self.model = Model(sizes, self.index.names())
        self.lists = Lists(model)
        settings.fill(model, self.spec, self.diagnostics)
        self.loaded.fill(model)
        tree.fill(self.lists)
        flexes.fill(model)
        origins, known = of_index(self.index)
        model.provenance = Provenance(origins, Nodes(documents_of(self.spec), known))
        self.diagnostics.raise_if_errors()

    def relations(self) -> None:
        """Fill in contacts, tendons, equalities, actuators, sensors, plugins and custom data."""
        model, index, diagnostics = self.model, self.index, self.diagnostics
        relations.fill_contacts(model, index, diagnostics)
        tendon.fill(model, index, diagnostics)
        relations.fill_equalities(model, index, diagnostics)
        actuator.fill(model, index, diagnostics, self.actuators)
        sensor.fill(model, index, diagnostics)
        index.plugins.fill(model)
        user_data.fill(model, index, diagnostics)
        user_data.keyframes(model, index, diagnostics)
        mpex.fill(model, self.spec, index, diagnostics)
        hard.widen(model)
        diagnostics.raise_if_errors()

    def constants(self) -> None:
        """Compute sparsity patterns and the constants of the reference configuration (qpos0)."""
        mesh_boxes.fill(self.model, [mesh.boxes for mesh in self.loaded.meshes if mesh is not None])
        joints = self.index.objects["joint"]

        def work(model: Model, lists: Lists) -> list[int]:
            constants.simple_bodies(lists)
            structure.fill(model, lists)
            return constants.fill(model, lists, joints, self.spec.statistic)

        singular = _constants.run(work, self.model, self.lists, constants.others(joints, self.spec.statistic))
        for dof in singular:
            body = self.index.bodies[int(self.model.dof_bodyid[dof])]
            self.diagnostics.warning(
                body.node,
                "singular-inertia",
                tr(
                    "the joints of {label} and the bodies below it move the same mass in the same way, so that "
                    "the simulation will fail; remove one of them or give them armature",
                    label=body.label(),
                ),
            )

    def length_ranges(self) -> None:
        """Compute the length ranges of actuators, by simulation where the model asks for it."""

        length_range.fill(
            self.model,
            self.index.objects["actuator"],
            self.spec.lengthrange,
            self.diagnostics,
            self.cancelled,
        )
        if self.cancelled():
            raise Cancelled

    def check_the_numbers(self) -> None:
        """Refuse a model with values that overflowed."""
        overflow.check(self.model, self.diagnostics)
        self.diagnostics.raise_if_errors()

    def what_cannot_be_simulated(self) -> None:
        """Warn about what the physics lacks. The model keeps the warnings and cannot be simulated."""

        unsimulated.fill(self.model, self.spec, self.diagnostics)
