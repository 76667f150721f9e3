#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later

import Gio from 'gi://Gio';
import Gmcp from 'gi://Gmcp?version=1';

Gio._promisify(Gmcp.ToolProvider.prototype, 'load_async');
Gio._promisify(Gmcp.ToolProvider.prototype, 'call_tool_json_async');

const config = ARGV[0] ? Gio.File.new_for_commandline_arg(ARGV[0]) : null;
const [provider] = Gmcp.load_tool_providers('org.example.Host', config);
await provider.load_async(null);
const tools = provider.get_tools();
for (let i = 0; i < tools.get_n_items(); i++)
    print(tools.get_item(i).get_name());

const result = await provider.call_tool_json_async(
    'tasks__create_task', '{"title": "Water the plants"}', null, null);
print(result.dup_text());
