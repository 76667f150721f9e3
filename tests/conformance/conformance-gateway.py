#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A gateway to the server of the conformance suite, over HTTP: conformance-gateway.py [PORT]

It starts that server, prints its own address, and ends with its standard input. What the server has stands under its
own names.
"""
import json
import os
import subprocess
import sys
import tempfile

import gi

gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'conformance-server.py')


def make_manager(folder, address):
    path = os.path.join(folder, 'mcp.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'mcpServers': {'behind': {'url': address, 'maxCalls': 100, 'allowSampling': True}}}, file)
    manager = Gmcp.Manager(state_directory=Gio.File.new_for_path(folder))
    manager.set_config_file(Gio.File.new_for_path(path))
    return manager


def serve(port, address):
    with tempfile.TemporaryDirectory(prefix='gmcp-conformance-') as folder:
        gateway = Gmcp.Gateway(manager=make_manager(folder, address), server_id='behind')
        endpoint = Gmcp.HttpEndpoint.new(Gmcp.Server.new('conformance-gateway', '1.0', gateway))
        endpoint.listen(port)
        print(endpoint.dup_uri(), flush=True)
        loop = GLib.MainLoop()
        GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP, lambda *_: loop.quit())
        loop.run()


def main():
    with subprocess.Popen([sys.executable, SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        serve(int(sys.argv[1]) if len(sys.argv) > 1 else 0, server.stdout.readline().strip())
        server.stdin.close()


main()
