#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later

import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp


async def main(config_file):
    provider = Gmcp.load_tool_providers('org.example.Host', config_file)[0]
    await provider.load_async()

    # A tool that fails is a result: the model reads why, and often knows what to do.
    result = await provider.call_tool_async('recipes__divide', {'a': 1, 'b': 0})
    print('failed:' if result.is_error() else 'done:', result)  # failed: MCP error: b is 0: give another one

    for name in ('refuse', 'hang', 'gone'):
        try:
            await provider.call_tool_async(f'recipes__{name}', timeout_ms=200)
        except GLib.Error as error:
            if error.domain == 'GmcpRpcError':
                print(error.code, error.message)  # -32001 recipes: Not today
            elif error.matches(Gmcp.error_quark(), Gmcp.Error.TIMED_OUT):
                print('no answer in time')  # no answer in time
            elif error.matches(Gmcp.error_quark(), Gmcp.Error.UNKNOWN_TOOL):
                print(error.message)  # There is no tool called recipes__gone. Near to it: recipes__count, recipes__hang.
            else:
                raise


Gmcp.run(main(Gio.File.new_for_commandline_arg(sys.argv[1])))
