# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# Sourced by dev: `./dev demo`. All it writes is in a folder of its own, which it removes at the end.

bold='' blue='' plain=''
if [ -t 1 ]; then
  bold=$'\033[1m' blue=$'\033[36m' plain=$'\033[0m'
fi

heading () { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

# show COMMAND…: prints it as one would type it, then runs it.
show ()
{
  local word line=
  for word in "$@"; do
    case $word in
      *\'*) line+=" \"$word\"" ;;
      *[!A-Za-z0-9_./:@%+,=-]*) line+=" '$word'" ;;
      *) line+=" $word" ;;
    esac
  done
  printf '\n%s$%s%s\n' "$blue" "$line" "$plain"
  "$@"
}

# The settings go to a key file instead of dconf, which would need its daemon.
make_demo_home ()
{
  demo_home=$(mktemp -d "${TMPDIR:-/tmp}/gmcp-demo-XXXXXX")
  trap 'rm -rf "$demo_home"' EXIT
  export GSETTINGS_BACKEND=keyfile
  export XDG_CONFIG_HOME=$demo_home/config XDG_DATA_HOME=$demo_home/data
  export XDG_CACHE_HOME=$demo_home/cache XDG_STATE_HOME=$demo_home/state
  mkdir -p "$XDG_CONFIG_HOME" "$XDG_DATA_HOME" "$XDG_CACHE_HOME" "$XDG_STATE_HOME"
}

# add_server ID COMMAND: a server is written first, then put on the list, so that no host sees half of it.
add_server ()
{
  local server=org.gmcp.Server:/org/gmcp/servers/$1/
  show gsettings set "$server" command "$2"
  show gsettings set "$server" enabled true
}

demo_tasks ()
{
  local id
  heading 'A server is a few settings. This one is gmcp-tasks, which keeps a list of tasks:'
  add_server tasks "['gmcp-tasks']"
  show gsettings set org.gmcp.Manager servers "['tasks']"

  heading 'gmcp is a host: it loads the module, which starts the server and asks for its tools:'
  show gmcp tools

  heading 'It calls them:'
  show gmcp call tasks__create_task 'title=Water the plants' due_date=2030-05-01
  show gmcp call tasks__create_task 'title=Write to Ada'
  show gmcp call tasks__list_tasks
  id=$(gmcp call tasks__list_tasks --json | python3 -c \
    'import json, sys; print(json.load(sys.stdin)["structuredContent"]["data"]["tasks"][0]["id"])')
  show gmcp call tasks__complete_task "task_id=$id" completed:=true
  show gmcp call tasks__delete_task "task_id=$id" confirm:=true
  show gmcp call tasks__list_tasks
}

# The filesystem server of the lock file, or of a folder of its own where no tests ran yet.
find_filesystem_server ()
{
  local name=@modelcontextprotocol/server-filesystem version
  local path=node_modules/$name/dist/index.js
  if [ -f "$npm_dir/$path" ]; then
    filesystem_server=$npm_dir/$path
    return 0
  fi
  filesystem_server=$build/npm-demo/$path
  [ -f "$filesystem_server" ] && return 0
  version=$(python3 -c "import json, sys; print(json.load(open(sys.argv[1]))['dependencies']['$name'])" \
    "$root/tests/package.json")
  mkdir -p "$build/npm-demo"
  logged npm-demo npm install --prefix "$build/npm-demo" --cache "$build/npm-cache" \
    --ignore-scripts --no-audit --no-fund --no-update-notifier "$name@$version"
}

demo_filesystem ()
{
  local folder=$demo_home/files
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    heading 'With Node.js here, the demo would go on with a server from npm.'
    return 0
  fi
  heading 'Node.js is here, so a second server comes from npm, @modelcontextprotocol/server-filesystem:'
  if ! find_filesystem_server; then
    say 'npm could not install it, so the demo ends here.'
    return 0
  fi
  mkdir -p "$folder"
  echo 'Hello from a file.' >"$folder/hello.txt"
  add_server files "['node', '$filesystem_server', '$folder']"
  show gsettings set org.gmcp.Manager servers "['tasks', 'files']"
  show gmcp tools files
  show gmcp call files__read_text_file "path=$folder/hello.txt"
}

run_demo ()
{
  make_demo_home
  demo_tasks
  demo_filesystem
  heading 'That was all. ./dev help lists what else there is; README.md shows a host in ten lines.'
}
