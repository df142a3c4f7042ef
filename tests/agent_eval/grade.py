"""Grades answers: each function says what is wrong, as a list of sentences; none means right. `expected` of a task:

cause      the rule of the first finding; `among`: of the first so many
nothing    no finding
gain       the gain of that finding as a share of the step, known exactly from the planted fault (to 1 % of the step)
where      part of the place in the source
evidence   part of the evidence that the finding's id names
caution    part of a caution
unknown    a view that the recording cannot have
confidence of the findings, or of the step where there is none
quoted     a text of the recording that must only appear where the answer names untrusted members
error      part of the message of the error
name, value, share    what is asked for, exactly
"""
import json

KNOWN = {"cause", "among", "nothing", "gain", "where", "evidence", "caution", "unknown", "confidence", "quoted", "error", "name", "value", "share"}
HIDDEN = "\u202e\u200b\u2066\x07\x1b"


def grade(expected, answer):
    assert set(expected) <= KNOWN, expected
    wrong = []

    def need(condition, what):
        if not condition:
            wrong.append(what)

    diagnosis, findings = answer.get("diagnosis", {}), answer.get("findings", [])
    rules = [finding["rule"] for finding in findings]
    if "error" in expected:
        need(expected["error"] in diagnosis.get("error", {}).get("message", ""), f"no error with {expected['error']}: {diagnosis}")
        return wrong
    if expected.get("nothing"):
        need(rules == [], f"findings in a healthy run: {rules}")
    if "cause" in expected:
        need(expected["cause"] in rules[: expected.get("among", 1)], f"the cause {expected['cause']} is not among the first: {rules}")
    finding = next((each for each in findings if each["rule"] == expected.get("cause")), {})
    if "gain" in expected:
        share = finding.get("gain", {}).get("share_of_step", -1)
        need(abs(share - expected["gain"]) <= 0.01, f"the gain is {share}, planted {expected['gain']}")
    if "where" in expected:
        need(expected["where"] in finding.get("where", ""), f"where: {finding.get('where')}")
    if "evidence" in expected:
        need(expected["evidence"] in json.dumps(answer.get("evidence")), f"no {expected['evidence']} in the evidence: {answer.get('evidence')}")
    if "caution" in expected:
        need(any(expected["caution"] in each["text"] for each in diagnosis["cautions"]), f"cautions: {diagnosis['cautions']}")
    if "unknown" in expected:
        need(expected["unknown"] in [each["view"] for each in diagnosis["unknown"]], f"unknown: {diagnosis['unknown']}")
    if "confidence" in expected:
        need(diagnosis["confidence"] == expected["confidence"], f"confidence: {diagnosis['confidence']}")
    if "quoted" in expected:
        text = json.dumps(answer, ensure_ascii=False)
        need(expected["quoted"] in text, "the window does not show the name")
        need(not set(HIDDEN) & set(json.dumps(answer, ensure_ascii=False)), "hidden characters in an answer")
        need(all(column.get("untrusted") for table in answer["next"]["tables"] for column in table["columns"] if column["key"] == "name"),
             "names are not marked as untrusted")
    if "name" in expected:
        need(answer.get("name", "").startswith(expected["name"]), f"the name is {answer.get('name')}")
    for key in ("value", "share"):
        if key in expected:
            need(abs(answer.get(key, -1) - expected[key]) <= 1e-6 * abs(expected[key]), f"{key} is {answer.get(key)}, not {expected[key]}")
    return wrong + sound(diagnosis)


def sound(diagnosis):
    """What holds for every diagnosis: it has 2 kB, and its parts sum to the step."""
    if not diagnosis:
        return []
    wrong = []
    if len(json.dumps(diagnosis, ensure_ascii=False, separators=(",", ":")).encode()) > 2048:
        wrong.append("a diagnosis of more than 2 kB")
    if "step" in diagnosis:
        parts = sum(part["ns"] for part in diagnosis["breakdown"])
        if abs(parts - diagnosis["step"]["time_ns"]) > 0.5:
            wrong.append(f"the parts sum to {parts} ns, the step has {diagnosis['step']['time_ns']}")
    return wrong
