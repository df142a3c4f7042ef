"""What XProf says of one profile, offline: `xprof_answers.py FILE.xplane.pb TOOL...` prints {tool: rows}, a row by column id.

XProf writes beside the file that it reads: give it a copy."""
import json
import sys

from xprof.convert import _pywrap_profiler_plugin as xprof


def rows(tool):
    answer, _ = xprof.xspace_to_tools_data([sys.argv[1]], tool, {})
    table = json.loads(answer)
    table = table[0] if isinstance(table, list) else table
    keys = [column['id'] for column in table['cols']]
    return [dict(zip(keys, [cell and cell.get('v') for cell in row['c']])) for row in table['rows']]


print(json.dumps({tool: rows(tool) for tool in sys.argv[2:]}))
