"""Reads the models that a model attaches (asset/model) to specs, before the model itself is read.

A file that attaches itself, directly or through others, is refused; mujoco 3.3.4 does not notice and never
ends.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from kinetree.engine import formats, mjcf
from kinetree.engine.diagnostics import meant
from kinetree.engine.document.document import Document
from kinetree.engine.mjcf.defaults import Defaults
from kinetree.engine.mjcf.schema import nearest
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Attribute, Node
    from kinetree.engine.mjcf.elements import Spec

MAX_MODELS = 1000
"""Most models that a model may attach, directly and through others."""
MAX_CLASSES = 20_000
"""Most default classes that a model may get from the models that it attaches."""
CONTENT_TYPES = ("text/xml",)


class ModelAssets:
    """The model assets of one document, by name.

    defaults   (prefix, default classes) of each attach of the document: a class of an attached model is known
               here under its name with the prefix
    """

    def __init__(
        self,
        document: Document,
        diagnostics: Diagnostics,
        files: list[str],
        above: tuple[Document, ...] = (),
        count: list[int] | None = None,
    ):
        self.document = document
        self.diagnostics = diagnostics
        self.files = files
        self.above = (*above, document)
        self.count = [0] if count is None else count
        self.found: dict[str, Submodel] = {}
        self.defaults: list[tuple[str, Defaults]] = []
        self.classes = 0
        root = document.merged
        if root.tag != "mujoco":
            return
        for section in root.children:
            for node in section.children if section.tag == "asset" else ():
                if node.tag == "model":
                    self.read(node)
        if not any("attach" in source.text for source in document.sources.values()):
            return
        for section in root.children:
            if section.tag == "worldbody":
                for node in section.iter("attach"):
                    self.check(node)

    def read(self, node: Node) -> None:
        """Read the file of one model asset."""
        file, media = node.attribute("file"), node.attribute("content_type")
        if file is None or not file.value:
            return  # reported with everything else that is missing
        if media is not None and media.value not in ("", *CONTENT_TYPES):
            self.error(
                media, "unsupported-type", tr("models of type '{value}' are not read; use text/xml", value=media.value)
            )
            return
        self.count[0] += 1
        if self.count[0] > MAX_MODELS:
            if self.count[0] == MAX_MODELS + 1:
                self.error(
                    file, "too-many-models", tr("more than {most} models are attached; use fewer", most=MAX_MODELS)
                )
            return
        document = self.document.beside(file, self.diagnostics)
        if document is None:
            return
        self.files.extend(document.files)
        paths = [os.path.realpath(each.main_file) for each in self.above]
        if os.path.realpath(document.main_file) in paths:
            chain = [os.path.basename(each.path) for each in (*self.above, document)]
            self.error(
                file,
                "model-cycle",
                tr("this model attaches itself ({names}); remove one of these models", names=" -> ".join(chain)),
            )
            return
        model = Submodel(document, self)
        declared = node.attribute("name")
        name = declared.value if declared is not None and declared.value else model.name
        self.found.setdefault(name, model)

    def check(self, node: Node) -> None:
        """Report an attach that names no known model; else make the classes of that model known."""
        name, prefix = node.attribute("model"), node.attribute("prefix")
        if name is None or prefix is None:
            return
        model = self.found.get(name.value)
        if model is not None:
            if model.defaults is not None:
                self.defaults.append((prefix.value, model.defaults))
                self.classes += len(model.defaults.classes)
                if self.classes > MAX_CLASSES:
                    self.defaults.clear()
                    self.error(
                        name,
                        "too-many-elements",
                        tr(
                            "the models attached here have more than {most} default classes; attach fewer",
                            most=MAX_CLASSES,
                        ),
                    )
            return
        if any(item.severity.value == "error" for item in self.diagnostics.items):
            return  # it may be one of those that could not be read
        guess = nearest(name.value, self.found)
        hint = tr("did you mean '{guess}'?", guess=guess) if guess else tr("declare it as <model> inside <asset>")
        self.error(
            name,
            "undefined-reference",
            tr("model: there is no model named '{value}'; {hint}", value=name.value, hint=hint),
            meant(name.value, guess),
        )

    def specs(self) -> dict[str, Spec]:
        """A new spec of each model."""
        return {name: model.spec() for name, model in self.found.items()}

    def error(self, where: Attribute, code: str, message: str, facts: tuple[str, ...] = ()) -> None:
        self.diagnostics.error(where, code, message, facts)


class Submodel:
    """One model to attach, validated against the schema."""

    def __init__(self, document: Document, around: ModelAssets):

        self.document = document
        self.diagnostics = around.diagnostics
        self.diagnostics.extend(document.diagnostics.items)
        self.models = ModelAssets(document, self.diagnostics, around.files, around.above, around.count)
        self.root = document.merged
        self.defaults: Defaults | None = None
        self.format = formats.of(self.root.tag)
        if self.format is not None:
            return
        # Parts that are never attached may refer to missing elements; references are checked after attaching.
        files = document.trees.values()
        self.defaults = mjcf.validate.validate(
            self.root, self.diagnostics, attached=self.models.defaults, parts=True, files=files
        )

    @property
    def name(self) -> str:
        return self.root.get("model" if self.format is None else "name") or "MuJoCo Model"

    def spec(self) -> Spec:

        if self.format is not None:
            spec = self.format.read(self.root, self.diagnostics, formats.ReaderArguments(str(self.document.base)))
            spec.folder = self.document.base
        else:
            spec = mjcf.reader.read(self.root, self.diagnostics, self.defaults, self.document.base)
            spec.models = self.models.specs()
        spec.document = self.document
        return spec
