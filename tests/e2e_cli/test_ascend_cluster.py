"""What msprof-analyze computes over all ranks, as texts and as a database, through the command line."""
import json
import sqlite3

import pytest
from program import needs_program, sightline

pytestmark = needs_program

TITLES = ("Computing", "Communication(Not Overlapped)", "Overlapped", "Communication", "Free", "Stage", "Bubble",
          "Communication(Not Overlapped and Exclude Receive)", "Preparing")
STEPS = {0: (50.5, 30, 10, 40, 9.5, 90, 0, 30, 1), 1: (80, 5, 10, 15, 5, 90, 0, 5, 1)}  # us


def entry(elapsed, transit, wait, start=1_736_408_883_704_060.0):
    return {"Communication Time Info": {"Start Timestamp(us)": start, "Elapse Time(ms)": elapsed, "Transit Time(ms)": transit,
                                        "Wait Time(ms)": wait, "Synchronization Time(ms)": wait, "Idle Time(ms)": 0},
            "Communication Bandwidth Info": {"HCCS": {"Transit Size(MB)": 2.5, "Transit Time(ms)": transit}}}


def texts(folder):
    folder.mkdir()
    rows = ["Step,Type,Index," + ",".join(TITLES)]
    rows += ["3,rank,%d,%s" % (rank, ",".join(map(str, sums))) for rank, sums in STEPS.items()]
    rows += ['3,stage,"(0, 1)",' + ",".join(map(str, map(max, zip(*STEPS.values()))))]
    (folder / "cluster_step_trace_time.csv").write_text("\n".join(rows) + "\n")
    (folder / "cluster_communication.json").write_text(json.dumps({"(0, 1)": {"step3": {
        "hcom_allReduce__271_0_1@271": {"0": entry(0.03, 0.01, 0.02), "1": entry(0.01, 0.01, 0)},
        "Total Op Info": {"0": entry(0.03, 0.01, 0.02), "1": entry(0.01, 0.01, 0)}}}}))
    link = {"Transport Type": "HCCS", "Transit Size(MB)": 2.5, "Transit Time(ms)": 0.01, "Bandwidth(GB/s)": 250, "Op Name": "x"}
    (folder / "cluster_communication_matrix.json").write_text(json.dumps({"(0, 1)": {"step3": {
        "allreduce-top1@271": {"0-1": link, "1-0": link}, "total-op-info": {"0-1": link}}}}))
    (folder / "communication_group.json").write_text(json.dumps({"collective": [[0, 1]], "p2p": []}))
    return folder


def database(folder):
    folder.mkdir()
    file = sqlite3.connect(folder / "cluster_analysis.db")
    file.executescript("""
        CREATE TABLE ClusterStepTraceTime (step TEXT, type TEXT, "index" TEXT, computing REAL, communication_not_overlapped REAL,
            overlapped REAL, communication REAL, free REAL, stage REAL, bubble REAL,
            communication_not_overlapped_and_exclude_receive REAL, preparing REAL);
        CREATE TABLE CommunicationGroupMapping (type TEXT, rank_set TEXT, group_name TEXT, group_id TEXT, pg_name TEXT);
        CREATE TABLE ClusterCommunicationTime (step TEXT, rank_id INTEGER, hccl_op_name TEXT, group_name TEXT, start_timestamp REAL,
            elapsed_time REAL, transit_time REAL, wait_time REAL, synchronization_time REAL, idle_time REAL);
        CREATE TABLE ClusterCommunicationBandwidth (step TEXT, rank_id INTEGER, hccl_op_name TEXT, group_name TEXT, band_type TEXT,
            transit_size REAL, transit_time REAL);
        CREATE TABLE ClusterCommunicationMatrix (step TEXT, hccl_op_name TEXT, group_name TEXT, src_rank REAL, dst_rank REAL,
            transport_type TEXT, transit_size REAL, transit_time REAL);
        CREATE TABLE ClusterBaseInfo (key TEXT PRIMARY KEY, value TEXT);
        CREATE TABLE HostInfo (hostUid TEXT, hostName TEXT);
        CREATE TABLE RankDeviceMap (rankId INTEGER, deviceId INTEGER, hostUid TEXT, profilePath TEXT);
        INSERT INTO ClusterBaseInfo VALUES ('world_size', '4');
        INSERT INTO HostInfo VALUES ('9', 'node7');
        INSERT INTO RankDeviceMap VALUES (0, 0, '9', ''), (1, 1, '9', '');
        INSERT INTO CommunicationGroupMapping VALUES ('collective', '(0,1)', '271', '', 'tp');
    """)
    marks = ",".join("?" * 12)
    for rank, sums in STEPS.items():
        file.execute("INSERT INTO ClusterStepTraceTime VALUES (%s)" % marks, ("3", "rank", str(rank), *sums))
    file.execute("INSERT INTO ClusterStepTraceTime VALUES (%s)" % marks, ("3", "stage", "(0, 1)", *map(max, zip(*STEPS.values()))))
    for rank, (elapsed, transit, wait) in {0: (0.03, 0.01, 0.02), 1: (0.01, 0.01, 0)}.items():
        file.execute("INSERT INTO ClusterCommunicationTime VALUES ('3', ?, 'hcom_allReduce__271_0_1', '271', 1736408883704060, ?, ?, ?, ?, 0)",
                     (rank, elapsed, transit, wait, wait))
        file.execute("INSERT INTO ClusterCommunicationBandwidth VALUES ('3', ?, 'hcom_allReduce__271_0_1', '271', 'HCCS', 2.5, ?)",
                     (rank, transit))
    for pair in ((0, 1), (1, 0)):
        file.execute("INSERT INTO ClusterCommunicationMatrix VALUES ('3', 'allreduce-top1', '271', ?, ?, 'HCCS', 2.5, 0.01)", pair)
    file.commit()
    file.close()
    return folder


def table(path, key):
    done = sightline("report", path, "--view", "distributed", "--format", "json", "--no-cache")
    assert done.returncode == 0, done.stderr
    columns = {column["key"]: column["values"] for column in json.loads(done.stdout)["tables"][key]["columns"]}
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


@pytest.mark.parametrize("made", [texts, database])
def test_ranks_are_workers_of_the_distributed_view(tmp_path, made):
    folder = made(tmp_path / "cluster_analysis_output")
    # Computation is Computing - Overlapped: 50.5 - 10 and 80 - 10 us.
    assert [(row["worker"], row["rank"], row["computation"], row["communication"], row["free"]) for row in table(folder, "stated")] == [
        ("rank 0", 0, 40_500, 30_000, 9_500), ("rank 1", 1, 70_000, 5_000, 5_000)]
    operations = table(folder, "stated_operations")
    assert [(row["worker"], row["elapsed"], row["transit"], row["wait"], row["size"]) for row in operations] == [
        ("rank 0", 30_000, 10_000, 20_000, 2_500_000), ("rank 1", 10_000, 10_000, 0, 2_500_000)]
    assert {(row["from"], row["to"], row["bytes"]) for row in table(folder, "routes")} == {(0, 1, 2_500_000), (1, 0, 2_500_000)}


def test_a_step_without_a_figure_counts_in_no_mean(tmp_path):
    folder = texts(tmp_path / "cluster_analysis_output")
    with (folder / "cluster_step_trace_time.csv").open("a") as file:
        file.write("4,rank,0,70.5,30,10,40,,90,0,30,1\n")
    (row,) = (row for row in table(folder, "stated") if row["rank"] == 0)
    assert (row["computation"], row["free"], row["steps"]) == (50_500, 9_500, 2)


def test_groups_have_their_names(tmp_path):
    folder = database(tmp_path / "cluster_analysis_output")
    assert [(row["group"], row["about"], row["size"], row["ranks"]) for row in table(folder, "process_groups")] == [
        ("stage 0", "pipeline stage", 2, "[0, 1]"), ("271", "tp", 2, "[0, 1]")]
    done = sightline("query", folder, "SELECT rank, host FROM job_ranks ORDER BY rank", "--format", "csv", "--no-cache")
    assert done.stdout.splitlines()[1:] == ["0,node7", "1,node7"]


def test_one_file_of_the_folder_is_enough(tmp_path):
    folder = texts(tmp_path / "cluster_analysis_output")
    assert len(table(folder / "cluster_step_trace_time.csv", "stated")) == 2
    for name in ("cluster_communication.json", "cluster_communication_matrix.json"):
        (folder / name).unlink()
    assert [row["rank"] for row in table(folder, "stated")] == [0, 1]


def test_damage_is_a_problem(tmp_path):
    folder = texts(tmp_path / "cluster_analysis_output")
    (folder / "cluster_communication.json").write_text('{"(0, 1)": {"step3": [')
    with (folder / "cluster_step_trace_time.csv").open("a") as file:
        file.write("3,rank,two,1,1,1,1,1,1,1,1,1\n")
    done = sightline("report", folder, "--view", "problems", "--format", "json", "--no-cache")
    assert "unreadable_file" in done.stdout and done.returncode == 0, done.stderr
    assert [row["rank"] for row in table(folder, "stated")] == [0, 1]


def test_it_is_no_rank_of_the_job_beside_it(tmp_path):
    texts(tmp_path / "cluster_analysis_output")
    output = tmp_path / "host_rank0_1_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    (output / "step_trace_time.csv").write_text("Device_id,Step,Computing\n0,3,5\n")
    (output / "kernel_details.csv").write_text("Name,Accelerator Core,Start Time(us),Duration(us)\nk,AI_CORE,1736408883704040.003,7.5\n")
    done = sightline("info", tmp_path, "--no-cache")
    assert "all ranks" in done.stdout and "host_rank0" in done.stdout, done.stdout + done.stderr
