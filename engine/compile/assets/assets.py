"""Assets: reads and processes meshes, height fields, skins and textures; materials."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from kinetree.engine.compile.assets import hfield, signed_distance, texture
from kinetree.engine.compile.assets.hfield import BadHeights, HeightField
from kinetree.engine.compile.assets.mesh import MINVAL, Mesh
from kinetree.engine.compile.assets.skin import BadSkin, Bone, Skin, read_skin
from kinetree.engine.compile.indexing import ObjectIndex
from kinetree.engine.compile.mechanism.plugins import Reported
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.model import enums
from kinetree.engine.resources import meshfile
from kinetree.engine.resources.cache import Cache
from kinetree.engine.resources.files import AssetFiles, File, Unreadable
from kinetree.engine.resources.hull import NoHull
from kinetree.engine.resources.objfile import MOST_CORNERS
from kinetree.engine.resources.raw_mesh import BadMesh, RawMesh
from kinetree.engine.translation import counted, tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

T = TypeVar("T")
ROLES = {
    "rgb": 1, "occlusion": 2, "roughness": 3, "metallic": 4, "normal": 5, "opacity": 6, "emissive": 7, "rgba": 8,
    "orm": 9,
}  # fmt: skip
MAX_TEXTURES = 1024 * 1024 * 1024
"""Bytes of all textures of a model."""
MAX_POINTS = 2_000_000
"""Points of all meshes that plugins make: a line of text makes 50 000 of them."""
_meshes = Cache(512 * 1024 * 1024)
_ATTRIBUTES = ("refpos", "refquat", "scale", "inertia", "maxhullvert", "smoothnormal")


def _complete(assets: list[T | None]) -> list[T]:
    """The assets of a model without errors: none of them is missing."""
    found = [asset for asset in assets if asset is not None]
    assert len(found) == len(assets)
    return found


class Assets:
    """Every mesh and texture of a spec, read and processed. An asset with an error is reported, and None in its
    list.
    """

    def __init__(self, index: ObjectIndex, diagnostics: Diagnostics, files: list[str]):
        self.index = index
        self.diagnostics = diagnostics
        self.files = AssetFiles(index.spec, diagnostics, files)
        self.srgb: set[int] = set()
        self.colliding: set[int] = set()
        """Meshes whose hull collides: what the shapes of the tree find."""
        self.points = MAX_POINTS
        self.meshes = [self.mesh(element) for element in index.objects["mesh"]]
        self.hfields = [self.hfield(element) for element in index.objects["hfield"]]
        self.skins = [self.skin(element) for element in index.objects["skin"]]
        self.room = MAX_TEXTURES
        self.images = [self.image(element) for element in index.objects["texture"]]

    def error(self, element: Element, code: str, message: str, attribute: str) -> None:
        self.diagnostics.error(element.at(attribute), code, message)

    # ---- meshes -------------------------------------------------------------------------------------

    def mesh(self, element: Element) -> Mesh | None:
        try:
            if element["maxhullvert"] != -1 and element["maxhullvert"] <= 3:
                raise BadMesh(tr("maxhullvert must be above 3, or -1 for no limit"), "maxhullvert")
            shape = self.index.plugins.shape(element)
            if shape is not None:
                return self.generated(element, shape)
            if element.get("file"):
                if element.get("vertex") is not None:
                    raise BadMesh(tr("a mesh comes from a file or from vertices; remove one of the two"), "vertex")
                mesh = self.from_file(element, self.files.open(element, "file", "mesh"))
                if mesh.raw.left_out:
                    self.warn_of_holes(element, mesh)
                return mesh
            raw = self.raw(element)
            key = (raw.digest, *(_hashable(element.get(name)) for name in _ATTRIBUTES))
            return _meshes.get(key, lambda: Mesh(element, raw), lambda mesh: mesh.nbytes)
        except BadMesh as error:
            at = error.attribute if element.node.attribute(error.attribute) is not None else "file"
            place = element.items[0].node if error.attribute == "plugin" else element.at(at)
            self.diagnostics.error(place, "bad-mesh", f"mesh '{element.name}': {error}")
        except (Reported, Unreadable):
            pass
        return None

    def warn_of_holes(self, element: Element, mesh: Mesh) -> None:
        """Warn of faces of the file that are not read, because the reference does not read them."""
        message = counted(
            "mesh '{name}': the file has a face of more than {most} corners, left out as MuJoCo does; the mesh has "
            "holes there, which may change its mass; triangulate the file",
            "mesh '{name}': the file has {count} faces of more than {most} corners, left out as MuJoCo does; the mesh "
            "has holes there, which may change its mass; triangulate the file",
            mesh.raw.left_out,
            name=element.name,
            most=MOST_CORNERS,
        )
        self.diagnostics.warning(element.at("file"), "too-many-corners", message)

    def from_file(self, element: Element, file: File) -> Mesh:
        key = (
            self.take(element, lambda: file.digest),
            file.path.suffix,
            element.get("content_type"),
            *(_hashable(element.get(name)) for name in _ATTRIBUTES),
        )
        return _meshes.get(key, lambda: Mesh(element, self.raw_file(element, file)), lambda mesh: mesh.nbytes)

    def generated(self, element: Element, shape: tuple[str, tuple[float, ...]]) -> Mesh:
        """The mesh of a signed distance plugin. Vertices in the text are ignored, as in the reference."""
        for name in ("vertex", "normal", "face"):
            if element.node.attribute(name) is not None:
                self.diagnostics.warning(
                    element.at(name),
                    "no-effect",
                    tr("the plugin makes the mesh; remove {name}, or the plugin", name=name),
                )
        if element.get("texcoord") is not None:
            raise BadMesh(tr("a mesh that a plugin makes has no texture coordinates; remove texcoord"), "texcoord")
        if (element["scale"] != 1).any():
            raise BadMesh(tr("a mesh that a plugin makes has no scale; set the plugin's parameters"), "scale")
        key = (*shape, *(_hashable(element.get(name)) for name in _ATTRIBUTES))
        if self.points <= 0:
            raise BadMesh(tr("the meshes that plugins make are too large together; use fewer"), "plugin")
        made = _meshes.get(key, lambda: Mesh(element, signed_distance.mesh(*shape)), lambda m: m.nbytes)
        self.points -= len(made.vert)
        return made

    def take(self, element: Element, action):
        return self.files.take(element, "file", action)

    def raw_file(self, element: Element, file: File) -> RawMesh:
        """Points and triangles from a file."""
        data = self.take(element, lambda: file.data)
        return meshfile.read(data, file.name, element.get("content_type"))

    def raw(self, element: Element) -> RawMesh:
        """Points and triangles from the text."""
        vert = element.get("vertex")
        if vert is None or not len(vert):
            raise BadMesh(tr("the mesh is empty; give file or vertex"), "vertex")
        count = len(vert) // 3
        face = element.get("face")
        for name, width in (("normal", 3), ("texcoord", 2)):
            given = element.get(name)
            if given is not None and len(given) != width * count:
                raise BadMesh(
                    tr(
                        "{name} has {count} numbers; {count2} vertices need {number}",
                        name=name,
                        count=len(given),
                        count2=count,
                        number=width * count,
                    ),
                    name,
                )
        if face is not None and len(face) and (face.min() < 0 or face.max() >= count):
            raise BadMesh(
                tr(
                    "a face names vertex {face}, but vertices are numbered 0 to {number}",
                    face=face.max(),
                    number=count - 1,
                ),
                "face",
            )
        return RawMesh(vert, face, element.get("normal"), None, element.get("texcoord"))

    def graph(self, element: Element, mesh: Mesh | None) -> np.ndarray | None:
        """The graph of the convex hull of a mesh, if geoms collide with it or the hull exists already."""
        if mesh is None or (mesh.raw.face is not None and mesh.mode != "convex" and element.id not in self.colliding):
            return None
        try:
            return mesh.graph
        except NoHull as error:
            message = tr(
                "mesh '{name}' has no convex hull to collide with: {error}; set contype and conaffinity of its geoms "
                "to 0, or give the mesh a volume",
                name=element.name,
                error=error,
            )
            self.error(element, "bad-mesh", message, "file")
            return None

    def distances(self) -> list[int]:
        """The meshes whose signed distance is needed: those of geoms with the plugin for it."""
        ids = {element.name: element.id for element in self.index.objects["mesh"]}
        geoms = (geom for geom in self.index.objects["geom"] if geom["type"] == "sdf" and geom.get("mesh") in ids)
        return sorted({ids[geom["mesh"]] for geom in geoms if self.index.plugins.name(geom) == signed_distance.MESH})

    # ---- height fields ------------------------------------------------------------------------------

    def hfield(self, element: Element) -> HeightField | None:
        try:
            return hfield.height_field(element, lambda name: self.files.read(element, name, "mesh"))
        except BadHeights as error:
            self.error(
                element,
                "bad-hfield",
                tr("height field '{name}': {error}", name=element.name, error=error),
                error.attribute,
            )
        except Unreadable:
            pass
        return None

    # ---- skins --------------------------------------------------------------------------------------

    def skin(self, element: Element) -> Skin | None:
        try:
            return read_skin(element, lambda name: self.files.read(element, name, "mesh"))
        except BadSkin as error:
            self.error(error.bone or element, "bad-skin", f"{element.label()}: {error}", error.attribute)
        except Unreadable:
            pass
        return None

    # ---- textures -----------------------------------------------------------------------------------

    def image(self, element: Element) -> np.ndarray | None:
        where = "file"

        def read(attribute: str) -> File:
            nonlocal where
            where = attribute
            return self.files.open(element, attribute, "texture")

        try:
            pixels, srgb = self.files.take(element, lambda: where, lambda: texture.image(element, read))
            if srgb:
                self.srgb.add(element.id)
            self.room -= pixels.nbytes
            if self.room < 0:
                raise texture.BadTexture(tr("the textures of the model are too large together; make them smaller"))
            return pixels
        except texture.BadTexture as error:
            self.error(element, error.code, str(error), error.attribute)
        except Unreadable:
            pass
        return None

    # ---- into the model -----------------------------------------------------------------------------

    def sizes(self) -> dict[str, int]:
        meshes = [mesh for mesh in self.meshes if mesh is not None]
        skins = [skin for skin in self.skins if skin is not None]
        self.graphs = [
            self.graph(element, mesh) for element, mesh in zip(self.index.objects["mesh"], self.meshes, strict=True)
        ]
        flat = self.index.spec.flag["multiccd"] == "enable"
        self.polygons = [
            mesh.polygons if flat and mesh is not None and graph is not None else []
            for mesh, graph in zip(self.meshes, self.graphs, strict=True)
        ]
        corners = sum(len(polygon) for polygons in self.polygons for polygon in polygons)
        found = ((i, self.meshes[i]) for i in self.distances())
        self.octrees = {i: mesh.octree for i, mesh in found if mesh is not None}
        return {
            "noct": sum(len(tree.child) for tree in self.octrees.values()),
            "noctcoeff": sum(len(tree.coeff) for tree in self.octrees.values()),
            "nmeshpoly": sum(map(len, self.polygons)),
            "nmeshpolyvert": corners,
            "nmeshpolymap": corners,
            "nmeshvert": sum(len(mesh.vert) for mesh in meshes),
            "nmeshface": sum(len(mesh.face) for mesh in meshes),
            "nmeshnormal": sum(len(mesh.normals[0]) for mesh in meshes),
            "nmeshtexcoord": sum(len(mesh.texcoords[0]) for mesh in meshes),
            "nmeshgraph": sum(0 if g is None else len(g) for g in self.graphs),
            "nhfielddata": sum(field.heights.size for field in self.hfields if field is not None),
            "nskin": len(self.skins),
            "nskinvert": sum(len(skin.vert) for skin in skins),
            "nskintexvert": sum(len(skin.texcoord) for skin in skins),
            "nskinface": sum(len(skin.face) for skin in skins),
            "nskinbone": sum(len(skin.bones) for skin in skins),
            "nskinbonevert": sum(len(bone.vertid) for skin in skins for bone in skin.bones),
            "ntexdata": sum(image.size for image in self.images if image is not None),
        }

    def fill(self, model: Model) -> None:
        self.fill_meshes(model)
        self.fill_polygons(model)
        self.fill_hfields(model)
        self.fill_skins(model)
        adr = 0
        for i, (element, pixels) in enumerate(zip(self.index.objects["texture"], _complete(self.images), strict=True)):
            model.tex_type[i] = texture.TYPES.get(element["type"], 1)
            space = element["colorspace"]
            if space == "auto" and element["builtin"] == "none":
                space = "sRGB" if element.id in self.srgb else "linear"
            model.tex_colorspace[i] = texture.COLORSPACES[space]
            model.tex_height[i], model.tex_width[i], model.tex_nchannel[i] = pixels.shape
            model.tex_adr[i] = adr
            model.tex_data[adr : adr + pixels.size] = pixels.ravel()
            adr += pixels.size
        self.fill_materials(model)

    def fill_meshes(self, model: Model) -> None:
        vert = normal = texcoord = face = edge = 0
        model.mesh_octadr[...] = -1
        node = leaf = 0
        for i, mesh in enumerate(_complete(self.meshes)):
            normals, facenormal = mesh.normals
            uv, faceuv = mesh.texcoords
            model.mesh_vertadr[i], model.mesh_vertnum[i] = vert, len(mesh.vert)
            model.mesh_normaladr[i], model.mesh_normalnum[i] = normal, len(normals)
            model.mesh_texcoordadr[i] = texcoord if len(uv) else -1
            model.mesh_texcoordnum[i] = len(uv)
            model.mesh_faceadr[i], model.mesh_facenum[i] = face, len(mesh.face)
            model.mesh_vert[vert : vert + len(mesh.vert)] = mesh.vert
            model.mesh_normal[normal : normal + len(normals)] = normals
            model.mesh_texcoord[texcoord : texcoord + len(uv)] = uv
            rows = slice(face, face + len(mesh.face))
            model.mesh_face[rows], model.mesh_facenormal[rows] = mesh.face, facenormal
            model.mesh_facetexcoord[rows] = faceuv
            model.mesh_scale[i] = mesh.scale
            model.mesh_pos[i], model.mesh_quat[i] = mesh.pose
            found = self.graphs[i]
            model.mesh_graphadr[i] = -1 if found is None else edge
            if found is not None:
                model.mesh_graph[edge : edge + len(found)] = found
                edge += len(found)
            if i in self.octrees:
                tree = self.octrees[i]
                model.mesh_octadr[i], model.mesh_octnum[i] = node, len(tree.child)
                rows = slice(node, node + len(tree.child))
                model.oct_depth[rows], model.oct_aabb[rows] = tree.depth, tree.aabb
                model.oct_child[rows] = np.where(tree.child < 0, tree.child - leaf, tree.child)
                model.oct_coeff[leaf : leaf + len(tree.coeff)] = tree.coeff
                node, leaf = node + len(tree.child), leaf + len(tree.coeff)
            vert, normal = vert + len(mesh.vert), normal + len(normals)
            texcoord, face = texcoord + len(uv), face + len(mesh.face)

    def fill_polygons(self, model: Model) -> None:
        """Fill in the flat faces of the hulls; only the flag multiccd needs them."""
        row = corner = 0
        for i, polygons in enumerate(self.polygons):
            first, count = int(model.mesh_vertadr[i]), int(model.mesh_vertnum[i])
            model.mesh_polyadr[i], model.mesh_polynum[i] = row, len(polygons)
            adr = corner
            for polygon in polygons:
                model.mesh_polyvertadr[row], model.mesh_polyvertnum[row] = corner, len(polygon)
                model.mesh_polyvert[corner : corner + len(polygon)] = polygon
                a, b, c = model.mesh_vert[[first + v for v in polygon[:3]]].astype(float)
                normal = np.cross(b - a, c - a)
                model.mesh_polynormal[row] = normal / max(float(np.linalg.norm(normal)), MINVAL)
                row += 1
                corner += len(polygon)
            # the polygons around each vertex
            at = model.mesh_polyvert[adr:corner]
            number = np.repeat(np.arange(len(polygons)), [len(polygon) for polygon in polygons])
            model.mesh_polymap[adr:corner] = number[np.argsort(at, kind="stable")]
            around = np.bincount(at, minlength=count)
            model.mesh_polymapnum[first : first + count] = around
            model.mesh_polymapadr[first : first + count] = adr + np.cumsum(around) - around

    def fill_hfields(self, model: Model) -> None:
        adr = 0
        for i, field in enumerate(_complete(self.hfields)):
            model.hfield_size[i], model.hfield_adr[i] = field.size, adr
            model.hfield_nrow[i], model.hfield_ncol[i] = field.heights.shape
            model.hfield_data[adr : adr + field.heights.size] = field.heights.ravel()
            adr += field.heights.size

    def fill_skins(self, model: Model) -> None:
        vert = texcoord = face = first = moved = 0
        for i, (element, skin) in enumerate(zip(self.index.objects["skin"], _complete(self.skins), strict=True)):
            model.skin_matid[i] = self.index.reference(element, "material", "material")
            for name in ("group", "rgba", "inflate"):
                getattr(model, "skin_" + name)[i] = element[name]
            model.skin_vertadr[i], model.skin_vertnum[i] = vert, len(skin.vert)
            model.skin_texcoordadr[i] = texcoord if len(skin.texcoord) else -1
            model.skin_faceadr[i], model.skin_facenum[i] = face, len(skin.face)
            model.skin_boneadr[i], model.skin_bonenum[i] = first, len(skin.bones)
            model.skin_vert[vert : vert + len(skin.vert)] = skin.vert
            model.skin_texcoord[texcoord : texcoord + len(skin.texcoord)] = skin.texcoord
            model.skin_face[face : face + len(skin.face)] = skin.face
            for j, bone in enumerate(skin.bones, first):
                model.skin_bonebodyid[j] = self.body_of(element, bone)
                model.skin_bonebindpos[j], model.skin_bonebindquat[j] = bone.pos, bone.quat
                model.skin_bonevertadr[j], model.skin_bonevertnum[j] = moved, len(bone.vertid)
                model.skin_bonevertid[moved : moved + len(bone.vertid)] = bone.vertid
                model.skin_bonevertweight[moved : moved + len(bone.vertid)] = bone.weight
                moved += len(bone.vertid)
            vert, texcoord, face = vert + len(skin.vert), texcoord + len(skin.texcoord), face + len(skin.face)
            first += len(skin.bones)

    def body_of(self, element: Element, bone: Bone) -> int:
        """The body of a bone; -1 after a diagnostic, which points at the file for bones from a file."""
        if bone.element is not None:
            return self.index.find("body", bone.body, bone.element, "body")
        found = self.index.ids["body"].get(bone.body, -1)
        if found < 0:
            message = tr(
                "skin '{name}': its file has a bone of body '{body}', which does not exist; "
                "rename a body or export the file again",
                name=element.name,
                body=bone.body,
            )
            self.error(element, "undefined-reference", message, "file")
        return found

    def fill_materials(self, model: Model) -> None:
        model.mat_texid[...] = -1
        for i, material in enumerate(self.index.objects["material"]):
            if material.get("texture"):
                model.mat_texid[i, enums.TEXROLE_RGB] = self.index.reference(material, "texture", "texture")
                if material.items:
                    self.error(
                        material,
                        "exclusive-attributes",
                        tr("texture and layer exclude each other; use layers alone"),
                        "texture",
                    )
            for layer in material.items:
                role = ROLES[layer["role"]]
                if model.mat_texid[i, role] >= 0:
                    self.error(
                        layer, "repeated-element", tr("there are two layers for {layer}", layer=layer["role"]), "role"
                    )
                model.mat_texid[i, role] = self.index.reference(layer, "texture", "texture")
            for name in (
                "texuniform", "texrepeat", "specular", "shininess", "reflectance", "metallic", "roughness", "rgba",
            ):  # fmt: skip
                getattr(model, "mat_" + name)[i] = material[name]
            emission = material["emission"]
            model.mat_emission[i] = emission if np.ndim(emission) == 0 else 0.0  # a colour: mpex_mat_emission


def _hashable(value):
    return value.tobytes() if isinstance(value, np.ndarray) else value
