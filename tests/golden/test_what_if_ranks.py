"""Ranks joined at their collectives, through the program: the replay without a change moves nothing on any rank, the critical path is
as long as the job's step, and eight simulated ranks whose answers are worked by hand."""
import json
import subprocess

import pytest
from program_report import PROGRAM, ROOT, rows
from test_what_if import GEN_TRACE, SHARED, facts

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no program at {PROGRAM}: build it, or set SIGHTLINE")

RANKS, STEPS, SLOW = 8, 6, 5
KERNEL = {rank: 500 if rank == SLOW else 200 + 10 * rank for rank in range(RANKS)}  # us


def recording(rank):
    """Simulated. In each step of 900 us, a kernel begins at 50 us, and then an all-reduce that moves data for 100 us once the slow rank
    has come to it at 550 us; the host waits until 655 us. The clock of each rank is 1 ms ahead of the one before it."""
    threads, stream = [], []
    for step in range(STEPS):
        at = 1000 * step + 1000 * rank
        comm = f'[ext={4 * step + 2} coll=allreduce dtype=Float in=1000 out=1000 group={RANKS} pg=0 ranks="{list(range(RANKS))}" Seq={step}]'
        threads.append(
            f"  {at}-{at + 900} ProfilerStep#{step}, {at + 10}-{at + 15} aten::mm [ext={4 * step + 1}]\n"
            f"  {at + 11}-{at + 14} cudaLaunchKernel [ext={4 * step + 1} corr={2 * step + 1}]\n"
            f"  {at + 20}-{at + 30} record_param_comms {comm}\n"
            f"  {at + 22}-{at + 26} cudaLaunchKernel [ext={4 * step + 2} corr={2 * step + 2}], {at + 100}-{at + 655} cudaDeviceSynchronize\n"
        )
        came = at + 50 + KERNEL[rank]
        stream.append(f"  {at + 50}-{came} gemm [corr={2 * step + 1}]\n"
                      f"  {came}-{at + 650} ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*) {comm[:-1]} corr={2 * step + 2}]\n")
    return (f"device 0: numSms=80\ndistributed: backend=nccl rank={rank} world_size={RANKS}\nthread 1:\n{''.join(threads)}stream 7:\n{''.join(stream)}")


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranks") / "job"
    folder.mkdir()
    for rank in range(RANKS):
        subprocess.run([GEN_TRACE, "-", folder / f"rank{rank}.1.pt.trace.json"], input=recording(rank), text=True, check=True)
    return folder


def report(path, view, *options):
    done = subprocess.run([PROGRAM, "report", path, "--view", view, "--format", "json", *options], capture_output=True, text=True)
    return (json.loads(done.stdout), "") if done.returncode == 0 else (None, done.stderr)


def replay_facts(body):
    panel = next(panel for panel in body["panels"] if panel["title"] == "Replay")
    return {fact["label"]: fact.get("value") for fact in panel["facts"]}


def check_identity(path):
    """Whether the ranks can be joined, else the program's reason."""
    body, reason = report(path, "critical_path_ranks")
    if body is None:
        return reason
    found = replay_facts(body)
    assert found["Moved by at most"] == 0 and found["Replayed step"] == found["Recorded step"] and found["Nodes"] > 0
    path_found = facts(body)
    assert path_found["On the path"] == path_found["Step"] == found["Recorded step"]
    assert sum(row.time for row in rows(body, "ranks")) == pytest.approx(path_found["Step"], rel=1e-12)
    return ""


def test_eight_ranks_by_hand(job):
    assert check_identity(job) == ""
    body, _ = report(job, "what_if_ranks")
    assert replay_facts(body)["Collectives joined"] == STEPS
    ranks = {int(row.rank): row for row in rows(body, "ranks")}
    assert {rank: row.waiting for rank, row in ranks.items()} == {rank: (500 - time) * 1000 for rank, time in KERNEL.items()}
    assert {rank: row.caused for rank, row in ranks.items() if row.caused} == {SLOW: sum(500 - time for time in KERNEL.values()) * 1000}
    # With a kernel of 230 us, the median of the others, rank 7 comes last, at 320 us: 230 us earlier.
    assert ranks[SLOW].gain == pytest.approx(230 / (5900 / 6))
    # Nothing is won by any other rank: it would wait longer, or a bit less.
    assert all(row.gain == 0 for rank, row in ranks.items() if rank != SLOW)
    # The path is on the slow rank until the all-reduce has all ranks, and then on the rank that ends the step: all end it together.
    path, _ = report(job, "critical_path_ranks", "--param", "step=2")
    times = {(row.worker, row.kind): row.time for row in rows(path, "classes")}
    assert times[f"rank{SLOW}", "Kernels"] == 500_000 and times["rank0", "Collectives"] == 100_000
    assert facts(path)["Changes of rank"] == 1


@pytest.mark.parametrize("changes, step", [(["rank:5 as-median"], 753.3333), (["rank:5 kernel:gemm*0.5"], 753.3333), (["rank:0 host*0.5"], 983.3333),
                                           (["--ranks", "category:communication*0.5"], 933.3333), (["no-waiting"], 983.3333)])
def test_changes_on_the_command_line(job, changes, step):
    """A step of the job takes 900 us, and 1000 us from the second on, because 100 us pass between steps. Half of the slow kernel: 250 us, and rank 7 comes last as well. The host of one rank does not matter. Transfers of 50 us end the
    step 50 us earlier. Without waiting, the slow rank takes as long."""
    done = subprocess.run([PROGRAM, "what-if", job, "--format", "json", *changes], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    prediction = {fact["label"]: fact.get("value") for fact in json.loads(done.stdout)["panels"][0]["facts"]}
    assert prediction["Predicted step"] == pytest.approx(step * 1000)


BROADCAST_CAME, BROADCAST_ENDS = (100, 400, 300), (420, 450, 440)


def broadcast_from_rank_1(rank, root):
    """Simulated. A kernel runs from 50 us until the broadcast comes, whose root is rank 1; the host waits until 10 us after its end, when the step ends."""
    comm = f'ext=2 coll=broadcast dtype=Float in=1000 out=1000 group=3 pg=0 ranks="[0, 1, 2]" Seq=0 {root}'
    came, end = BROADCAST_CAME[rank], BROADCAST_ENDS[rank]
    return (f"device 0: numSms=80\nmeta: host_name=node7\ndistributed: backend=nccl rank={rank} world_size=3\nthread 1:\n"
            f"  0-{end + 10} ProfilerStep#0, 10-15 aten::mm [ext=1], 11-14 cudaLaunchKernel [ext=1 corr=1]\n"
            f"  20-30 record_param_comms [{comm}], 22-26 cudaLaunchKernel [ext=2 corr=2], 40-{end + 10} cudaDeviceSynchronize\n"
            f"stream 7: 50-{came} gemm [corr=1]\n  {came}-{end} ncclDevKernel_Broadcast_RING_LL [{comm.removesuffix(root)} corr=2]\n")


def write_broadcasts(folder, root):
    for rank in range(3):
        subprocess.run([GEN_TRACE, "-", folder / f"rank{rank}.1.pt.trace.json"], input=broadcast_from_rank_1(rank, root), text=True, check=True)
    return folder


def test_receivers_of_a_broadcast_wait_for_its_root(tmp_path):
    """The step takes 460 us. With half of its kernel, the root comes at 225 us. Rank 0 ends 20 us after that. Rank 2 comes at 300 us and needs 40 us
    from then on, and the root ends at 275 us: 350 us. Nobody waits for rank 2, and nothing comes earlier if rank 0 does."""
    folder = write_broadcasts(tmp_path, "Rank=1")
    assert check_identity(folder) == ""
    body, _ = report(folder, "what_if_ranks")
    assert {int(row.rank): row.waiting for row in rows(body, "ranks")} == {0: 300_000, 1: 0, 2: 100_000}
    for change, step in (("rank:1 kernel:gemm*0.5", 350), ("rank:0 kernel:gemm free", 460), ("rank:2 kernel:gemm free", 460)):
        done = subprocess.run([PROGRAM, "what-if", folder, "--format", "json", change], capture_output=True, text=True, check=True)
        prediction = {fact["label"]: fact.get("value") for fact in json.loads(done.stdout)["panels"][0]["facts"]}
        assert prediction["Predicted step"] == step * 1000, change


def transfer(rank, operation, other, came, end):
    """Simulated. In a group of three ranks, a kernel runs from 50 us until the transfer comes; the step ends 10 us after the transfer."""
    comm = {"Collective name": operation, "dtype": "Float", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": 3,
            "Process Group Name": "0", "Process Group Ranks": "[0, 1, 2]", "Seq": 7 + rank}
    call = {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 100, "tid": 1, "ts": 20, "dur": 10, "args": {"External id": 2, **comm, **other}}
    return (f"device 0: numSms=80\nmeta: host_name=node7\ndistributed: backend=nccl rank={rank} world_size=3\nraw: {json.dumps(call)}\nthread 1:\n"
            f"  0-{end + 10} ProfilerStep#0, 10-15 aten::mm [ext=1], 11-14 cudaLaunchKernel [ext=1 corr=1]\n"
            f"  22-26 cudaLaunchKernel [ext=2 corr=2], 40-{end + 10} cudaDeviceSynchronize\n"
            f'stream 7: 50-{came} gemm [corr=1]\n  {came}-{end} ncclDevKernel_SendRecv [ext=2 corr=2 coll={operation} group=3 pg=0 ranks="[0, 1, 2]"]\n')


@pytest.mark.parametrize("known", [True, False])
def test_a_transfer_in_a_larger_group_needs_the_other_rank(tmp_path, known):
    """Rank 0 receives from rank 2, which comes at 400 us; it ends 20 us after that. With half of its kernel, rank 2 comes at 225 us, and both end
    earlier by 175 us."""
    for rank, operation, other, came, end in ((0, "recv", {"Src Rank": 2}, 100, 420), (2, "send", {"Dst Rank": 0}, 400, 410)):
        text = transfer(rank, operation, other if known else {}, came, end)
        subprocess.run([GEN_TRACE, "-", tmp_path / f"rank{rank}.1.pt.trace.json"], input=text, text=True, check=True)
    reason = check_identity(tmp_path)
    if not known:
        assert "no collective of a device is matched" in reason
        return
    assert reason == ""
    done = subprocess.run([PROGRAM, "what-if", tmp_path, "--format", "json", "rank:2 kernel:gemm*0.5"], capture_output=True, text=True, check=True)
    prediction = {fact["label"]: fact.get("value") for fact in json.loads(done.stdout)["panels"][0]["facts"]}
    assert prediction["Recorded step"] == 430_000 and prediction["Predicted step"] == 255_000


def test_a_broadcast_of_unknown_root_is_not_joined(tmp_path):
    assert "the recording does not state the root" in check_identity(write_broadcasts(tmp_path, ""))


def test_a_wrong_rank_is_refused(job):
    done = subprocess.run([PROGRAM, "what-if", job, "rank:9 as-median"], capture_output=True, text=True)
    assert done.returncode != 0 and "no rank '9' here; ranks with comparable clocks: 0, 1, 2, 3, 4, 5, 6, 7" in done.stderr


SPANS = {"pytorch/hta_two_ranks": "the clocks of the ranks cannot be compared", "ascend/msinsight_text_level1": "5 are needed",
         "ascend/msinsight_db_level2": "", "ascend/msinsight_gpt3_notrace": "the clocks of the ranks cannot be compared"}


@pytest.mark.parametrize("span", SPANS)
def test_recorded_ranks(span):
    if not (SHARED / span).exists():
        pytest.skip(f"no samples at {SHARED}")
    reason = check_identity(SHARED / span)
    assert SPANS[span] in reason if SPANS[span] else reason == "", reason


@pytest.mark.parametrize("span", ["ddp", "ddp_cuda"])
def test_our_samples_are_refused_with_the_reason(span):
    reason = check_identity(ROOT / "samples" / span)
    assert {"ddp": "the collectives of these ranks ran on the host", "ddp_cuda": "the clocks of the ranks cannot be compared"}[span] in reason, reason
