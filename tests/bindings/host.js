#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later

import Gio from 'gi://Gio';
import Gmcp from 'gi://Gmcp?version=1';

const config = ARGV[0] ? Gio.File.new_for_commandline_arg(ARGV[0]) : null;
const [provider] = Gmcp.load_tool_providers('org.example.Host', config);
await provider.load_async();
for (const tool of provider.get_tools())
    print(tool.get_name());

const result = await provider.call_tool_async('tasks__create_task', {title: 'Water the plants'});
print(result.dup_text());
