"""The elimination of large islands: by minimum degree, with memory in proportion to the factor."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.constraint import elimination
from kinetree.engine.dynamics.constraint.island import DENSE
from kinetree.engine.jit.compiler import compiled
from kinetree.engine.model.fields import TABLES
from tests.benchmark.bench_island import grid, growing_bytes
from tests.engine.dynamics.solver.test_primal import crowd


def plain_minimum_degree(model, data, island: int) -> tuple[list[int], list[set[int]]]:
    """Blocks in the order of elimination, and the later blocks next to each: with a set of neighbours for
    each block.
    """
    start = data.isl_blockadr[island]
    blocks = data.isl_block[start : start + data.isl_blocknum[island]].tolist()
    size = {b: (int(model.block_dofnum[b]) + 3) // 4 * 4 for b in blocks}
    graph: dict[int, set[int]] = {b: set() for b in blocks}
    for key in data.pair_key[: data.npair].tolist():
        a, b = divmod(key, model.nv)
        if a in graph:
            graph[a].add(b)
            graph[b].add(a)
    order, structure = [], []
    while graph:
        best = min(graph, key=lambda b: (sum(size[n] for n in graph[b]), blocks.index(b)))
        neighbours = graph.pop(best)
        for b in neighbours:
            graph[b] |= neighbours
            graph[b] -= {b, best}
        order.append(best)
        structure.append(neighbours)
    return order, structure


def random_graph(seed: int) -> tuple[kinetree.Model, kinetree.Data]:
    """A model of many small trees whose blocks are coupled at random, as if by constraints: one island."""
    rng = np.random.default_rng(seed)
    kinds = ["<freejoint/>", '<joint type="ball"/>', "<joint/>"]
    bodies = "".join(f"<body>{kinds[k]}<geom size='.1'/></body>" for k in rng.integers(0, 3, 60))
    model = kinetree.load_string(
        f"<mujoco><option><flag contact='disable'/></option><worldbody>{bodies}</worldbody></mujoco>"
    )
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    pairs = rng.integers(0, 60, (int(rng.integers(60, 200)), 2))
    pairs = np.concatenate([pairs[pairs[:, 0] != pairs[:, 1]], [[k, k + 1] for k in range(59)]])
    data.need[...] = 500
    data.grow()
    data.npair = len(pairs)
    data.pair_key[: len(pairs)] = pairs[:, 0] * model.nv + pairs[:, 1]
    data.nisland, data.ngrp, data.nknown = 1, 1, 0
    data.tree_island = data.dof_island = 0
    data.isl_blockadr[0], data.isl_blocknum[0], data.isl_dofnum[0] = 0, 60, model.nv
    data.isl_block[:60] = np.arange(60)
    return model, data


def check_layout(model, data, island: int) -> int:
    order, structure = plain_minimum_degree(model, data, island)
    first = data.isl_nodeadr[island]
    assert data.isl_nodenum[island] == len(order)
    node_of = {block: first + p for p, block in enumerate(order)}
    entries = 0
    for block, neighbours in zip(order, structure, strict=True):
        node = node_of[block]
        assert data.block_node[block] == node
        listed = data.sub_node[data.node_sub[node] : data.node_sub[node] + data.node_nsub[node]].tolist()
        assert listed == sorted(node_of[b] for b in neighbours)
        widths = [int(model.block_dofnum[order[n - first]] + 3) // 4 * 4 for n in listed]
        own = (int(data.node_dim[node]) + 3) // 4 * 4
        columns = data.sub_col[data.node_sub[node] : data.node_sub[node] + data.node_nsub[node]].tolist()
        assert columns == [own + sum(widths[:k]) for k in range(len(widths))]
        assert data.node_cols[node] == own + sum(widths)
        entries += int(data.node_dim[node]) * int(data.node_cols[node])
    assert data.isl_Hnum[island] == entries
    return entries


@pytest.mark.parametrize("seed", range(8))
def test_order_and_structure_of_random_graphs(seed):
    model, data = random_graph(seed)
    compiled(elimination.elimination)(model, data)
    while data.needs_memory:
        data.grow()
        compiled(elimination.elimination)(model, data)
    assert check_layout(model, data, 0) > model.nv


def test_order_and_structure_of_a_crowd():
    model = kinetree.load_string(crowd(30))
    data = kinetree.Data(model)
    kinetree.step(model, data, 3)
    checked = [check_layout(model, data, i) for i in range(data.nisland) if data.isl_dofnum[i] > DENSE]
    assert checked


def test_memory_grows_as_the_factor_does():
    """Sixteen times the bodies in one island: far from 256 times the memory, and the graph is smaller than
    the factor.
    """
    entries = []
    for count in (49, 196, 784):
        model = kinetree.load_string(grid(count))
        data = kinetree.Data(model)
        kinetree.step(model, data)
        island = int(np.argmax(data.isl_dofnum))
        assert data.isl_blocknum[island] == count
        entries.append(int(data.isl_Hnum[island]))
        graph = sum(
            data._arrays[field.name].nbytes
            for field in TABLES["Data"]
            if field.shape and field.shape[0] in ("nadjmax", "nsubmax")
        )
        assert graph < 8 * entries[-1]
        assert growing_bytes(data) < 40 * 8 * entries[0] * count / 49 * np.log2(count)
    assert entries[1] < 8 * entries[0] and entries[2] < 8 * entries[1]
