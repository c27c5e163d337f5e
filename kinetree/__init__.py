"""Kinetree: open, simulate, see and edit robot and physics models.

    import kinetree

    model = kinetree.load("model.xml")
    data = kinetree.Data(model)
    kinetree.step(model, data, nstep=100)
    picture = kinetree.render(model, data, 640, 480)

This is the public interface (docs/api.md); what is not listed here may change. Names are imported when they are first
used, so that `import kinetree` costs nothing. In a checkout, the packages in this folder are links to the folders
beside it.
"""

from importlib import import_module
from typing import Any

__version__ = "0.2.0"

_WHERE = {
    "load": "engine.storage.loading",
    "load_string": "engine.storage.loading",
    "Document": "engine.scripting.document:EditableDocument",
    "DocumentElement": "engine.scripting.element",
    "NoElement": "engine.scripting.element",
    "ModelError": "engine.diagnostics",
    "Diagnostic": "engine.diagnostics",
    "CannotSave": "engine.diagnostics",
    "Model": "engine.model.model",
    "Data": "engine.model.data",
    "reset": "engine.model.data",
    "ObjectView": "engine.model.views",
    "name2id": "engine.model.model",
    "save": "engine.storage.saving",
    "to_xml": "engine.storage.saving",
    "render": "renderer.offscreen",
    "Camera": "engine.scene.camera",
    "VisOptions": "engine.scene.options",
    "NoContext": "renderer.context",
    "full_m": "engine.dynamics.position.inertia_products",
    "forward": "engine.dynamics.forward",
    "kinematics": "engine.dynamics.forward",
    "step": "engine.dynamics.forward",
    "inverse": "engine.dynamics.forward",
    "Hooks": "engine.dynamics.hooks",
    "Threads": "engine.jit.threads",
    **dict.fromkeys(
        (
            "jac",
            "jac_body",
            "jac_body_com",
            "jac_geom",
            "jac_site",
            "jac_subtree_com",
            "jac_tendon",
            "jac_dot",
            "apply_ft",
        ),
        "engine.dynamics.query.jac",
    ),
    **dict.fromkeys(("object_velocity", "object_acceleration"), "engine.dynamics.query.object_motion"),
    **dict.fromkeys(("mul_m", "solve_m"), "engine.dynamics.position.inertia_products"),
    **dict.fromkeys(("rne_post_constraint", "subtree_vel"), "engine.dynamics.query.on_request"),
    **dict.fromkeys(("integrate_pos", "differentiate_pos"), "engine.dynamics.query.positions"),
    **dict.fromkeys(("State", "get_state", "set_state", "state_size"), "engine.dynamics.query.state_vector"),
    **dict.fromkeys(("transition_fd", "inverse_fd"), "engine.dynamics.query.finite_difference"),
    "contact_force": "engine.dynamics.query.contact_force",
    "ray": "engine.dynamics.sensor.ray",
    "geom_distance": "engine.collision.measure",
}
_MODULES = {"enums": "engine.model.enums"}

__all__ = [*_WHERE, *_MODULES]  # pyright: ignore[reportUnsupportedDunderAll] - the table states the names once


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'kinetree' has no attribute {name!r}")
    where, _, inside = (_WHERE.get(name) or _MODULES[name]).partition(":")
    module = import_module(f"kinetree.{where}")
    value = getattr(module, inside or name) if name in _WHERE else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
