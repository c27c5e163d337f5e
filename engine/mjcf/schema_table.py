"""THE schema table: every element and attribute of MJCF and of its Motphys dialect (MPEX), once.

Reading, checking, defaults, writing, completion, help and documentation loop over `ELEMENTS`. The rows stand in
three parts (schema_table_settings, schema_table_body, schema_table_mechanism) in the notation of schema_rows.
Sources of the facts: MuJoCo's XML reference, and the Motphys MJCF reference for rows of dialect "mpex".
"""

from __future__ import annotations

from kinetree.engine.mjcf import schema_table_body, schema_table_mechanism, schema_table_settings
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow, attribute, element

INCLUDE = element(
    "include",
    "*",
    "Puts the contents of another file here; it may stand anywhere.",
    [attribute("file", "file!", None, "File to include, relative to the main file's folder.")],
    in_schema=False,
)

MUJOCO = element(
    "mujoco",
    "!",
    "The root of a model.",
    [attribute("model", "string", "MuJoCo Model", "Name of the model.")],
    "compiler option size visual statistic default extension custom asset worldbody deformable contact equality"
    " tendon actuator sensor keyframe",
)

#: Every kind of element, by id, in the order of the MJCF schema.
ELEMENTS: dict[str, ElementRow] = {
    row.id: row
    for row in (
        MUJOCO,
        INCLUDE,
        *schema_table_settings.ELEMENTS,
        *schema_table_body.ELEMENTS,
        *schema_table_mechanism.ELEMENTS,
    )
}

__all__ = ["ELEMENTS", "AttributeRow", "ElementRow"]
