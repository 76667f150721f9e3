#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later

import asyncio
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, Gmcp


async def main(config_file):
    provider = Gmcp.load_tool_providers('org.example.Host', config_file)[0]
    await provider.load_async()

    # Calls, and whatever else asyncio knows, in one loop with GLib's main context.
    echo = asyncio.create_subprocess_exec('echo', 'from a process', stdout=asyncio.subprocess.PIPE)
    process, *results = await asyncio.gather(
        echo, *(provider.call_tool_async('recipes__divide', {'a': 6, 'b': b}) for b in (1, 2, 3)))
    print(*results)  # 6 3 2
    print((await process.communicate())[0].decode().strip())  # from a process


Gmcp.run(main(Gio.File.new_for_commandline_arg(sys.argv[1])))
