// SPDX-License-Identifier: LGPL-2.1-or-later
// `gmcp connect` with every program that it knows: the file is read as that program does, and what stands there is started
// with the official client, in an environment as a desktop gives it. Then `gmcp disconnect` leaves what was before.
//
// connected.mjs GMCP SERVER [yaml]

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { assert, main, require, test } from './harness.mjs';

const [program, server] = process.argv.slice(2, 4).map((path) => resolve(path));
const yaml = process.argv[4];
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

const folder = mkdtempSync(join(tmpdir(), 'gmcp-connected-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const servers = join(folder, 'my servers.json');
writeFileSync(servers, JSON.stringify({ mcpServers: { files: { command: 'python3', args: [server, '--tools', 'echo'] } } }));

const plain = (text) => JSON.parse(text);
// With comments, and commas before a closing bracket.
const commented = (text) => JSON.parse(text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, '$1')
  .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1'));
const toml = (text) => plain(execFileSync('python3', ['-c', 'import json, sys, tomllib; print(json.dumps(tomllib.loads(sys.stdin.read())))'],
  { input: text, encoding: 'utf8' }));
// The keys of one map in YAML, each with a value in one line that is JSON, too.
const blockMap = (text) => Object.fromEntries([...text.matchAll(/^ {4}(\w+): (.*)$/gm)].map(([, key, value]) => [key, JSON.parse(value)]));

// The file of each program below the home, as such a file may look, how it is read, and what it starts.
const words = ({ command, args }) => [command, ...args];
const claude = '{\n  "mcpServers": {\n    "weather": {\n      "command": "npx",\n      "args": ["-y", "weather"]\n    }\n  },\n  "globalShortcut": ""\n}\n';
const programs = {
  'claude-desktop': ['.config/Claude/claude_desktop_config.json', claude, (text) => words(plain(text).mcpServers.gmcp)],
  'claude-code': ['.claude.json', '{\n  "numStartups": 12,\n  "projects": {\n    "/home/me/x": {"allowedTools": [], "history": ["a", "b"]}\n  },\n  "userID": "0"\n}',
    (text) => words(plain(text).mcpServers.gmcp)],
  cursor: ['.cursor/mcp.json', '{"mcpServers":{"web":{"url":"https://example.org/mcp","headers":{"Authorization":"Bearer ${env:TOKEN}"}}}}',
    (text) => words(plain(text).mcpServers.gmcp)],
  vscode: ['.config/Code/User/mcp.json', '{\n\t// Mine.\n\t"servers": {\n\t\t"github": {\n\t\t\t"type": "http",\n\t\t\t"url": "https://example.org/mcp"\n\t\t}\n\t},\n\t"inputs": []\n}',
    (text) => { assert.equal(commented(text).servers.gmcp.type, 'stdio'); return words(commented(text).servers.gmcp); }],
  zed: ['.config/zed/settings.json', '// Zed settings\n//\n// For information see the documentation: https://zed.dev/docs\n{\n  "theme": "One Dark", // dark\n  "ui_font_size": 16,\n}\n',
    (text) => { assert.equal(commented(text).context_servers.gmcp.source, 'custom'); return words(commented(text).context_servers.gmcp); }],
  gemini: ['.gemini/settings.json', '{\n  "selectedAuthType": "oauth-personal",\n  "mcpServers": {}\n}\n', (text) => words(plain(text).mcpServers.gmcp)],
  codex: ['.codex/config.toml', '# Codex\nmodel = "o3"\n\n[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs"]\n\n[mcp_servers.docs.env]\nKEY = "value"\n\n[projects."/home/me/x"]\ntrust_level = "trusted"\n',
    (text) => words(toml(text).mcp_servers.gmcp)],
  cline: ['.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', '{\n  "mcpServers": {\n    "a": {\n      "disabled": true,\n      "timeout": 60,\n      "command": "a",\n      "autoApprove": []\n    }\n  }\n}',
    (text) => words(plain(text).mcpServers.gmcp)],
  'roo-code': ['.config/VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json', '{\n  "mcpServers": {\n    \n  }\n}', (text) => words(plain(text).mcpServers.gmcp)],
  windsurf: ['.codeium/windsurf/mcp_config.json', claude, (text) => words(plain(text).mcpServers.gmcp)],
  opencode: ['.config/opencode/opencode.jsonc', '{\n  "$schema": "https://opencode.ai/config.json", // schema\n  "mcp": {\n    /* none */\n  }\n}\n',
    (text) => { const { type, enabled, command } = commented(text).mcp.gmcp; assert.deepEqual([type, enabled], ['local', true]); return command; }],
};
if (yaml) {
  programs.goose = ['.config/goose/config.yaml', 'GOOSE_PROVIDER: anthropic # mine\nextensions:\n  developer:\n    bundled: true\n    enabled: true\n    name: developer\n    timeout: 300\n    type: builtin\n\n# The model.\nGOOSE_MODEL: x\n',
    (text) => {
      const { type, enabled, cmd, args } = blockMap(text.slice(text.indexOf('  gmcp:\n'), text.indexOf('\n\n# The model')));
      assert.deepEqual([type, enabled], ['stdio', true]);
      return [cmd, ...args];
    }];
}

for (const [name, [place, before, read]] of Object.entries(programs)) {
  test(name, async () => {
    const home = join(folder, name);
    const file = join(home, place);
    const variables = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_STATE_HOME: join(home, 'state'), XDG_CACHE_HOME: join(home, 'cache'), XDG_DATA_HOME: join(home, 'data') };
    const gmcp = (...args) => execFileSync(program, args, { env: { ...process.env, ...variables }, encoding: 'utf8' });
    const client = new Client({ name, version: '1' });

    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);
    assert.match(gmcp('-c', servers, 'connect', name, '--yes'), /before-gmcp/);
    const [command, ...args] = read(readFileSync(file, 'utf8'));
    assert.equal(command, program);
    assert.deepEqual(args, ['gateway', '-c', servers]);

    // Where programs find few others, and in a folder that has nothing of it.
    const env = { ...process.env, ...variables, PATH: '/usr/bin:/bin' };
    await client.connect(new StdioClientTransport({ command, args, env, cwd: '/', stderr: 'inherit' }));
    const { tools } = await client.listTools();
    assert.ok(tools.length > 0);
    assert.ok(tools.every((tool) => tool.name.startsWith('files__')));
    await client.close();

    gmcp('disconnect', name, '--yes');
    assert.equal(readFileSync(file, 'utf8'), before);
    assert.match(gmcp('disconnect', name), /not connected/);
  });
}

await main();
