"""Answers a task from the tools' answers alone, as docs/agents.md advises: a program in place of a language model, so that the
evaluation measures what the tools say and not who reads them. Each question has at most four calls."""


def cell(table, row, key):
    return row["cells"][[column["key"] for column in table["columns"]].index(key)]


def slow(client, path, _other):
    """Why is it slow? diagnose; the evidence of the first finding; then the call that the finding names next."""
    diagnosis = client.call("diagnose", path=path)
    answer = {"diagnosis": diagnosis, "findings": diagnosis.get("findings", [])}
    if answer["findings"]:
        first = answer["findings"][0]
        answer["evidence"] = client.call("view", path=path, evidence=first["id"])
        if "next" in first:
            answer["next"] = client.call(first["next"]["tool"], path=path, **first["next"]["arguments"])
    return answer


def memory(client, path, _other):
    """What keeps memory? The operator whose allocations exceed its releases most."""
    table = client.call("view", path=path, view="memory", table="operators", sort="-size_increase", rows=1)["tables"][0]
    return {"name": cell(table, table["rows"][0], "name"), "value": cell(table, table["rows"][0], "size_increase")}


def compiling(client, path, _other):
    """What is compiled again and again? Regions of one frame."""
    table = client.call("view", path=path, view="compiled_code", table="regions", sort="-recompilation", rows=50)["tables"][0]
    return {"name": cell(table, table["rows"][0], "name"), "value": table["total"]}


def yesterday(client, path, other):
    """Why slower than yesterday? The operator that grew most."""
    answer = client.call("compare", path=path, other_path=other)
    table = next(table for table in answer["tables"] if table["key"] == "operators")
    change = next(column["key"] for column in table["columns"] if column["key"].startswith("change_") and column.get("unit") == "ns")
    worst = max(table["rows"], key=lambda row: cell(table, row, change) or 0)
    return {"name": cell(table, worst, "name"), "value": cell(table, worst, change)}


def kernel(client, path, _other):
    """Is a kernel worth writing? At most its share of the kernels' time times the share of the step in which kernels run."""
    table = client.call("view", path=path, view="kernels", table="kernels", sort="-total", rows=1)["tables"][0]
    return {"name": cell(table, table["rows"][0], "name"), "share": cell(table, table["rows"][0], "share")}


SOLVERS = {"slow": slow, "memory": memory, "compiling": compiling, "yesterday": yesterday, "kernel": kernel}
