"""XProf's result for one profile, offline: `xprof_answers.py FILE.xplane.pb PARAMETERS TOOL...` prints {tool: answer}.
Parameters are JSON; an answer that is a table is its rows, by column id. If there are several tables, it is the first, or the
number in `TOOL:NUMBER`.

XProf writes beside the file that it reads: give it a copy."""
import json
import sys

from xprof.convert import _pywrap_profiler_plugin as xprof


def answer_of(asked):
    tool, _, number = asked.partition(':')
    data, known = xprof.xspace_to_tools_data([sys.argv[1]], tool, json.loads(sys.argv[2]))
    if not known:
        return {}
    answer = json.loads(data)
    tables = answer if isinstance(answer, list) else [answer]
    table = tables[int(number or 0)]
    if 'cols' not in table:
        return answer
    keys = [column['id'] for column in table['cols']]
    return [dict(zip(keys, [cell and cell.get('v') for cell in row['c']])) for row in table['rows']]


xprof.xspace_to_tools_data([sys.argv[1]], 'tool_names', {})  # writes the programs beside the file, for the memory viewer
print(json.dumps({tool: answer_of(tool) for tool in sys.argv[3:]}))
