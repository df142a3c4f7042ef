"""Writes a folder of tables as Neuron Explorer keeps a profile: one Parquet file a table, or several.

    write(folder, {"Instruction": [{"start_ts": 5, "end_ts": 9, "engine": "Tensor", "opcode": "MATMUL"}]}, parts={"Instruction": 2})

Types follow from the values, as in the public schema: integers int64, numbers double, lists of integers or texts. All rows are
made here: nothing is copied from a device. `of_vendor_json` converts a file of the vendor's JSON to these tables.
"""
import re

import pyarrow
import pyarrow.parquet


def write(folder, tables, parts=None, version="7.4.0", row_group=3):
    folder.mkdir(parents=True, exist_ok=True)
    if "Metadata" not in tables and version is not None:
        tables = {**tables, "Metadata": [{"profile_schema_version": version}]}
    for name, rows in tables.items():
        columns = list(dict.fromkeys(key for row in rows for key in row))
        table = pyarrow.table({column: [row.get(column) for row in rows] for column in columns})
        pieces = (parts or {}).get(name, 1)
        for piece in range(pieces):
            first, end = (len(rows) * at // pieces for at in (piece, piece + 1))
            file = folder / (f"{name}.parquet" if pieces == 1 else f"{name}_{piece}.parquet")
            pyarrow.parquet.write_table(table.slice(first, end - first), file, row_group_size=row_group)


def _times(row, start="timestamp"):
    return {"start_ts": row[start], "end_ts": row[start] + row["duration"], "duration_ns": row["duration"]}


def of_vendor_json(data):
    """{table: rows}, by the names that both forms of the vendor's tables have."""
    instructions, flows = [], []
    for row in data["instruction"]:
        same = ("id", "pc", "opcode", "operands", "crc_in", "crc_out", "layer", "hlo_name", "hlo_attrs", "hbm_read_bytes", "hbm_write_bytes",
                "bir_id", "penguin_id")
        instructions.append({**_times(row), **{key: row[key] for key in same if key in row}, "timeline_track": row["label"],
                             "engine": row["label"].removesuffix("Matrix"), "evt_wait_time_ns": row["evt_wait_time"],
                             "raw_flops": 2 * row["elements"] if "elements" in row else None})
        flows += [{"in_table": "Instruction", "in_id": edge["id"], "out_table": "Instruction", "out_id": row["id"],
                   "dependency_type": edge["type"]} for edge in row.get("predecessors", ())]
    flows += [{"in_table": "Instruction", "in_id": row["id"], "out_table": "DmaPacketAggregated", "out_id": other["id"], "dependency_type": "DGE_TRIGGER"}
              for other in data["dma"] for row in data["instruction"]
              if "trigger" in other and (row["timestamp"], row.get("trigger")) == (other["trigger"], other["timestamp"])]
    packets, transfers = [], []
    for row in data["dma"]:
        common = {**_times(row), "id": row["id"], "queue_name": row["subgroup"], "queue_idx": int(row["dma_queue"]), "queue_type": row["queue_type"],
                  "transfer_bytes": row["transfer_size"], "read_bytes": row["read_size"], "write_bytes": row["write_size"]}
        if row["aggregated"] == "no":
            packets.append({**common, "engine_idx": int(row["dma_engine"]), "crc": row["crc"]})
        else:
            transfers.append({**common, "variable": row["variable"], "source": str(row["source"])})
    (about,), (header,), (summary,) = data["metadata"], data["neff_header"], data["summary"]
    return {
        "Instruction": instructions, "Flow": flows, "DmaPacket": packets, "DmaPacketAggregated": transfers,
        "SemaphoreUpdate": [{"id": row["id"], "value": row["value"], "timestamp": row["timestamp"]} for row in data["semaphore_update"]],
        "Throttle": [{"timestamp": row["timestamp"], "duration": row["duration"], "k": row["k"], "n": row["n"],
                      "type": "unknown" if row["type"] == 99 else "activity_0"} for row in data["ham"]],
        "PendingDma": data["pending_dma"],
        "TensorInfo": [{"variable_name": row["variable_name"], "type": row["type"], "shape": row["shape"], "format": row["format"],
                        "size": int(row["size"]), **{key: row[key] for key in row if re.match("load_to_sbuf_(dma|total)", key)}}
                       for row in data["neff_node"] if row["variable_name"]],
        "DmaQueuesInfo": [{"name": row["q_name"], "type": row["q_type"], "idx": row["q_idx"], "engine_idx": row["q_eng_idx"],
                           "axi_port": row["q_axi_port"], "dram_channel": row["q_dram_channel"]} for row in data["dma_queues_info"]],
        "HbmUsageSummaryByType": [{"usage_type": row["usage_type"], "usage_bytes": row["amount_bytes"]} for row in data["nc_mem_usage"]
                                  if row["usage_type"] != "Total"],
        "Metadata": [{"profile_schema_version": "7.4.0", "last_hw_timestamp": about["last_hw_timestamp"], "neuroncore_idx": summary["nc_idx"],
                      "instance_type": summary["instance_type"]}],
        "NeffHeader": [{"network_name": header["network_name"], "uuid": header["uuid"]}],
        "Summary": [summary], "Warning": data["warnings"],
    }
