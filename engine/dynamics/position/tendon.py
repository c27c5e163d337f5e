"""Fixed tendons: length and its gradient as linear combinations of joint positions.

Specification: XML reference, tendon/fixed. Spatial tendons: engine/dynamics/position/spatial_tendon.py.
"""

from __future__ import annotations

from kinetree.engine.jit.kernel import kernel
from kinetree.engine.model import enums


@kernel
def tendon(model, data):
    """ten_length and ten_J of fixed tendons."""
    for t in range(model.ntendon):
        if model.wrap_type[model.tendon_adr[t]] != enums.WRAP_JOINT:
            continue
        adr, number = model.ten_J_rowadr[t], model.ten_J_rownnz[t]
        for k in range(adr, adr + number):
            data.ten_J[k] = 0.0
        length = 0.0
        for w in range(model.tendon_adr[t], model.tendon_adr[t] + model.tendon_num[t]):
            joint = model.wrap_objid[w]
            coef = model.wrap_prm[w]
            length += coef * data.qpos[model.jnt_qposadr[joint]]
            for k in range(adr, adr + number):
                if model.ten_J_colind[k] == model.jnt_dofadr[joint]:
                    data.ten_J[k] += coef
        data.ten_length[t] = length
