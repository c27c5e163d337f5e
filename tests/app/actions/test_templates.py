"""The texts that new models begin with."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.app.actions.templates import FOLDER, templates, text_of
from kinetree.app.workers.compiling import check_file, compile_file


def test_every_file_is_a_template_with_an_order_of_its_own():
    assert len(templates()) == len(list(FOLDER.iterdir()))
    assert [each.order for each in templates()] == list(range(1, len(templates()) + 1))
    assert all(each.help for each in templates())


@pytest.mark.parametrize("template", templates(), ids=lambda each: each.title)
def test_a_template_compiles_without_a_finding_and_moves(template, tmp_path):
    path = tmp_path / template.path.name
    path.write_text(text_of(template))
    result = compile_file(str(path), keep=True)
    assert result is not None and check_file(result) == []
    data = kinetree.Data(result.model)
    kinetree.step(result.model, data, 200)
    assert np.isfinite(data.qpos).all()
