"""Joins the verdicts of all runs: python table.py CASES RUN... > table.jsonl. The first line names the runs; then one line
a case, with the runs that did not accept it. A run is a file of lines as typescript.mjs and python.py print them."""
import json
import sys

cases, *files = sys.argv[1:]
runs, verdicts = [], {}
for file in files:
    for line in open(file):
        one = json.loads(line)
        run = f"{one['client']} {one['version']} {one['protocol']}"
        if run not in runs:
            runs.append(run)
        if one["verdict"] != "accepted":
            verdicts.setdefault(one["case"], {}).setdefault(one["verdict"], []).append(runs.index(run))
print(json.dumps({"runs": runs}, separators=(",", ":")))
for line in open(cases):
    one = json.loads(line)
    print(json.dumps({**one, **verdicts.get(one["case"], {})}, separators=(",", ":")))
