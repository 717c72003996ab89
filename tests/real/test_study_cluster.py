"""A study on a Ray cluster of two nodes here, one of which is killed in the middle."""

import time
from pathlib import Path

import pytest

from specviz.config.settings import RunConfig
from specviz.lab.study import plan as plans
from specviz.lab.study import prompts


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_with_one_node_of_two_killed_the_result_is_that_of_one_machine(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="there is no Ray here; pip install '.[cluster]'")
    import pyarrow.parquet as pq
    from ray.cluster_utils import Cluster

    from specviz.lab.study import store, study
    from specviz.lab.study.cluster import actors
    from specviz.lab.study.local import processes
    from tests.study_killed import MEASURED

    plan = plans.StudyPlan(
        prompts=prompts.read(prompts.STANDARD)[:6],
        methods=tuple(map(plans.drafter, ("small-model", "ngram"))),
        gamma_rules=(plans.gamma_rule("fixed"),),
        varied={"gamma": (3,), "temperature": (0.0, 0.8)},
        seeds=8,
        base=RunConfig("", max_new_tokens=8, device="cpu"),
    )
    head = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    second = cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
    done = 0

    def tell(count: int) -> None:
        nonlocal done
        if done < plan.size // 3 <= done + count:
            cluster.remove_node(second, allow_graceful=False)
        done += count

    try:
        cluster.wait_for_nodes()
        with actors(cluster.address, None, 1, gpu=False) as (crew, size):
            assert size == 2
            study.run(plan, tmp_path / "cluster", crew, lambda _: 8, time.perf_counter, tell)
    finally:
        cluster.shutdown()
    with processes(1, 1) as alone:
        study.run(plan, tmp_path / "here", alone, lambda _: 4, time.perf_counter, lambda _: None)
    assert done == plan.size
    for name in (store.RUNS, store.ROUNDS):
        one, other = (pq.read_table(tmp_path / folder / name) for folder in ("cluster", "here"))
        shared = [column for column in one.column_names if column not in MEASURED]
        assert one.select(shared).equals(other.select(shared))
