"""Kinetree's engine: model text to compiled model, physics, and the scene as plain arrays. No Qt, no OpenGL.

    model = engine.load("model.xml")
    data = engine.Data(model)
    engine.step(model, data, nstep=100)

Names are imported when they are first used, so that `import engine` costs nothing.
"""

from importlib import import_module

_WHERE = {
    "load": "engine.storage.loading",
    "load_string": "engine.storage.loading",
    "ModelError": "engine.diagnostics",
    "Diagnostic": "engine.diagnostics",
    "Model": "engine.model.model",
    "Data": "engine.model.data",
    "reset": "engine.model.data",
    "name2id": "engine.model.model",
    "save": "engine.storage.saving",
    "to_xml": "engine.storage.saving",
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

__all__ = list(_WHERE)  # pyright: ignore[reportUnsupportedDunderAll] - the table states the names once


def __getattr__(name: str):
    if name not in _WHERE:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value
