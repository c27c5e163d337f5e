"""Every edit that the tree offers leaves a model that compiles, or is refused with a reason (see sweep.py): by a rule, or
in few cases as the compiler refuses the result."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from kinetree.engine.assist.language import language_of
from tests.corpus import listed
from tests.engine.editing.every_kind import write
from tests.engine.editing.sweep import EDITS, Case, Swept, carried, cases, edits, grow, inserts, kinds, own, parents_of


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> dict[str, Swept]:
    found = {}
    for format in ("MJCF", "URDF", "x_xy"):
        found[format] = Swept(write(tmp_path_factory.mktemp(format), format))
        assert not found[format].error()
        grow(found[format])
        assert not found[format].error()
    return found


def sweep(swept: Swept, chosen: list[Case]) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    failed = []
    for case in chosen:
        outcome = swept.outcome(case)
        counts[case.edit, outcome.kind] += 1
        if outcome.kind == "fails":
            failed.append(f"{case.words}: {outcome.why}")
        if outcome.kind in ("refused", "stopped"):
            assert len(outcome.why.split()) > 3, case.words
    assert not failed, "\n".join(failed)
    assert sum(number for (_, kind), number in counts.items() if kind == "stopped") <= 0.02 * len(chosen), counts
    return counts


def test_the_models_have_every_kind_of_element(models):
    for format, swept in models.items():
        missing = set(language_of(swept.document).grammar.rows) - kinds(swept.document)
        assert missing <= {"sensor.plugin", "flexcomp.plugin"}, format


@pytest.mark.parametrize("format", ["URDF", "x_xy"])
def test_every_edit_of_every_element_compiles_or_is_refused(models, format):
    counts = sweep(models[format], list(cases(models[format].document)))
    assert counts["insert", "compiles"] > 5 and counts["duplicate", "compiles"] > 4 and counts["paste", "refused"] > 5


def test_a_sample_of_the_edits_of_mjcf_compiles_or_is_refused(models):
    chosen = list(cases(models["MJCF"].document))
    counts = sweep(models["MJCF"], Random(18).sample(chosen, 250))
    assert all(counts[edit, "compiles"] for edit in EDITS), counts


@pytest.mark.slow("every edit that MJCF allows")
def test_every_edit_of_mjcf_compiles_or_is_refused(models):
    counts = sweep(models["MJCF"], list(cases(models["MJCF"].document)))
    assert sum(counts.values()) > 2000 and all(counts[edit, "compiles"] for edit in EDITS), counts


def test_elements_are_carried_into_another_model(models, tmp_path):
    """A missing referred element is named."""
    path = tmp_path / "other.xml"
    path.write_text('<mujoco><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>')
    other = Swept(str(path))
    document = models["MJCF"].document
    chosen = [carried(document, node) for node in own(document) if node.parent is not None and not node.get("file")]
    counts = sweep(other, [case for case in chosen if "<compiler>" not in case.words])
    assert counts["paste elsewhere", "compiles"] > 30 and counts["paste elsewhere", "refused"] > 20


def test_random_edits_of_the_corpus_compile_or_are_refused(shared):
    """A sample; `python -m tests.benchmark.every_edit` takes more."""
    chance, counts = Random(5), Counter()
    for model in listed(shared / "corpus")[::25]:
        if model.loads != "yes" or model.path.stat().st_size > 20_000:
            continue
        swept = Swept(str(model.path))
        if swept.document.diagnostics.has_errors or swept.error():
            continue
        nodes, parents = own(swept.document), parents_of(swept.document)
        for node in chance.sample(nodes, min(len(nodes), 3)):
            chosen = [*inserts(swept.document, node), *edits(swept.document, node, parents)]
            for case in chance.sample(chosen, min(len(chosen), 2)):
                counts[swept.outcome(case).kind] += 1
    assert counts["compiles"] > 40 and counts["fails"] == 0, counts
    assert counts["stopped"] <= 0.05 * sum(counts.values()), counts
