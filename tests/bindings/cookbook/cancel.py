#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later

import asyncio
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp


async def main(config_file):
    provider = Gmcp.load_tool_providers('org.example.Host', config_file)[0]
    await provider.load_async()

    # With a cancellable, as everywhere in GIO. The server is told.
    cancellable = Gio.Cancellable()
    call = provider.call_tool_async('recipes__hang', cancellable=cancellable)
    GLib.idle_add(cancellable.cancel)
    try:
        await call
    except GLib.Error as error:
        assert error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED)
        print('cancelled')  # cancelled

    # With what asyncio has.
    try:
        await asyncio.wait_for(provider.call_tool_async('recipes__hang'), timeout=0.2)
    except asyncio.TimeoutError:
        print('gave up')  # gave up


Gmcp.run(main(Gio.File.new_for_commandline_arg(sys.argv[1])))
