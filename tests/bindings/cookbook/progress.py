#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later

import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, Gmcp


def show(progress, total, message):
    print(f'{progress:g} of {total:g}: {message}')


async def main(config_file):
    provider = Gmcp.load_tool_providers('org.example.Host', config_file)[0]
    await provider.load_async()

    # Each report puts the time limit off, up to max_timeout_ms.
    print(await provider.call_tool_async('recipes__count', {'to': 2}, progress=show, timeout_ms=5000, max_timeout_ms=60000))
    # 1 of 2: step 1
    # 2 of 2: step 2
    # counted


Gmcp.run(main(Gio.File.new_for_commandline_arg(sys.argv[1])))
