# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash disable=SC2154
#
# Sourced by dev: `./dev test` in its three forms. A stage that fails does not stop the next ones.

set_repeat ()
{
  [[ $1 =~ ^[1-9][0-9]{0,5}$ ]] || usage_error "test: --repeat takes a number from 1 to 999999, not \"$1\""
  test_repeat=$1
}

# Sets test_full, test_repeat and test_names.
parse_test_arguments ()
{
  test_full=no test_repeat=0 test_names=()
  while [ $# -gt 0 ]; do
    case $1 in
      --full) test_full=yes ;;
      --repeat)
        [ $# -ge 2 ] || usage_error "test: --repeat needs a number of times"
        set_repeat "$2"
        shift
        ;;
      --repeat=*) set_repeat "${1#*=}" ;;
      -*) usage_error "test: unknown option $1" ;;
      *) test_names+=("$1") ;;
    esac
    shift
  done
  if [ "$test_full" = yes ] && [ $((test_repeat + ${#test_names[@]})) -gt 0 ]; then
    usage_error "test: --full runs every test once; it takes neither names nor --repeat"
  fi
}

# The time that a loaded machine may take is not what a test is about; and most tests wait more than
# they work, so that there can be more of them at once than there are processors. What a test that was
# killed leaves goes with the folder.
meson_test ()
{
  local folder status=0
  folder=$(mktemp -d)
  # A test that gives up root has to reach its files there.
  chmod 755 "$folder"
  TMPDIR=$folder logged "$1" meson test -C "$2" --num-processes $((3 * $(nproc))) --timeout-multiplier 4 \
    --print-errorlogs "${@:3}" || status=$?
  rm -rf "$folder" || true
  return $status
}

# Sets cpu_seconds: what all that this process has waited for has taken of the processors so far.
read_cpu_seconds ()
{
  local stat
  cpu_seconds=0
  read -r stat 2>/dev/null <"/proc/$BASHPID/stat" || return 0
  read -ra stat <<<"${stat##*) }"
  cpu_seconds=$(((stat[13] + stat[14]) / $(getconf CLK_TCK)))
}

# write_stage KEY TITLE SECONDS: what was found, as stage_* says it.
write_stage ()
{
  local line
  printf -v line '%-44s %5d passed %3d failed %3d skipped %5d s' \
    "$2" "$stage_passed" "$stage_failed" "$stage_skipped" "$3"
  say "   $line"
  printf '%s\n' "$stage_passed $stage_failed $stage_skipped" "$line" >"$stages/$1"
}

# stage KEY TITLE FUNCTION: runs it and keeps a line for the table. The function sets stage_*, or just
# fails. Stages of both lanes run at the same time, and so what they found goes through files.
stage ()
{
  local key=$1 title=$2 begin=$SECONDS ok=yes
  stage_passed=0 stage_failed=0 stage_skipped=0
  say "== $title"
  "$3" || ok=no
  if [ "$ok" = no ] && [ "$stage_failed" -eq 0 ]; then
    stage_failed=1
  fi
  write_stage "$key" "$title" $((SECONDS - begin))
}

# suites NAME DIR LOG ARGUMENT…: runs tests and counts them, whatever their outcome.
suites ()
{
  local status=0 counts
  rm -f "$2/meson-logs/$3"
  meson_test "test-$1" "$2" "${@:4}" >/dev/null 2>&1 || status=1
  [ -f "$2/meson-logs/$3" ] || { tail -n 20 "$build/logs/test-$1.log" >&2; return 1; }
  [ $status -eq 0 ] || printf '%s\n' "$1" "$2" "$3" "$title" "${@:4}" >"$again/$key"
  counts=$(python3 "$root/tests/dev/tally.py" "$2/meson-logs/$3") || return 1
  read -r stage_passed stage_failed stage_skipped <<<"$counts"
  return $status
}

# variant NAME OPTION…: configures build/NAME.
variant ()
{
  configure "$build/$1" -Dwerror=true -Dintrospection=disabled -Ddocs=disabled "-Dnpm_dir=$npm_dir" "${@:2}"
}

# clang_variant NAME OPTION…: configures build/NAME for clang, which a precompiled header saves a third of the time. A ccache
# that has been filled saves more, but cannot do with one; and with GCC, which maps the whole of it for each file, what the
# kernel does for that takes the time that is saved.
clang_variant ()
{
  (
    cache='' precompiled=true
    [ "$ccache_is_new" = yes ] || cache='ccache ' precompiled=false
    export CC=${cache}clang CXX=${cache}clang++
    variant "$@" -Dcxx=disabled -Doptimization=0 "-Db_pch=$precompiled"
  )
}

# clang_build NAME TARGET…: with pages of memory that are large, of which the compiler needs a few where it would need
# thousands.
clang_build ()
{
  GLIBC_TUNABLES=glibc.malloc.hugetlb=1 logged "build-$1" ninja -C "$build/$1" "${@:2}"
}

# build_sanitized INPUTS: one build serves three stages: clang's warnings, the sanitizers, and the fuzz targets, each of
# which is to get that many inputs. The programs that no unit test starts are compiled by clang where optional features are
# off, all but the one file that knows of a feature.
build_sanitized ()
{
  local targets
  clang_variant sanitized -Db_sanitize=address,undefined -Db_lundef=false -Dfuzzing=enabled "-Dfuzz_runs=$1" \
    -Ddebug=false -Dc_args=-gline-tables-only || return 1
  targets=$(python3 "$root/tests/dev/targets.py" "$build/sanitized" unit,fuzz gmcp gmcpd) || return 1
  mapfile -t targets <<<"$targets"
  clang_build sanitized "${targets[@]}" src/cli/gmcp.p/shell_cli-prompt.c.o
}

# What is left out is left out when it is compiled; tests that know of no optional feature would only take time.
build_off ()
{
  local targets
  clang_variant features-off -Dauto_features=disabled -Ddebug=false || return 1
  targets=$(python3 "$root/tests/dev/targets.py" "$build/features-off" features) || return 1
  mapfile -t targets <<<"$targets"
  clang_build features-off "${targets[@]}"
}

run_all_of () { suites "$1" "$build" testlog.json --no-rebuild "${@:2}"; }

# All but those that look at the dashboard with a browser, and those that build packages of a distribution.
stage_gcc () { build_level test && run_all_of gcc --no-suite browser --no-suite packaging; }

# The unit tests have stages of their own, under the sanitizers and under valgrind.
stage_gcc_full ()
{
  local ok=yes
  build_level test || ok=no
  exec {second_lane}< <(run_second_lane)
  [ $ok = yes ] && run_all_of gcc --no-suite unit
}

stage_clang () { build_sanitized 10000 && stage_passed=1; }

stage_sanitizers ()
{
  await_build sanitized && suites sanitizers "$build/sanitized" testlog.json --no-rebuild --suite unit
}

stage_features_off () { await_build off && suites off "$build/features-off" testlog.json --no-rebuild --suite features; }

stage_valgrind ()
{
  suites valgrind "$build" testlog-valgrind.json \
    --no-rebuild --setup valgrind --timeout-multiplier 20 --suite memory
}

stage_fuzz ()
{
  [ "$sanitized_failed" -eq 0 ] &&
    suites fuzz "$build/sanitized" testlog-fuzz.json --no-rebuild --logbase testlog-fuzz --suite fuzz
}

# What works rather than waits, at a lower priority than the tests of the first lane: together they
# keep all processors busy. Its standard output tells the first lane how each build ended.
run_second_lane ()
{
  renice -n 10 -p "$BASHPID" >/dev/null
  stage 2-clang 'clang, warnings are errors' stage_clang
  local sanitized_failed=$stage_failed off=0
  echo "sanitized $sanitized_failed"
  build_off || off=1
  echo "off $off"
  stage 6-fuzz 'fuzzing, 10,000 inputs a target' stage_fuzz
  stage 5-valgrind 'valgrind: what has a memory of its own' stage_valgrind
}

# await_build NAME: waits until the second lane has built it.
await_build ()
{
  local name failed
  while read -r name failed <&"$second_lane"; do
    [ "$name" = "$1" ] && return "$failed"
  done
  return 1
}

# One locale with a decimal comma, of our own, since few machines have one.
make_locale ()
{
  local folder=$build/locale
  if [ ! -d "$folder/de_DE.UTF-8" ]; then
    mkdir -p "$folder"
    logged locale localedef --no-archive -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" || return 0
  fi
  export LOCPATH=$folder
}

# Tests start Python hundreds of times. Debian's packages are for the system's, which starts in a tenth of the
# time that the shim of a version manager takes, where one stands before it in PATH.
use_system_python ()
{
  if [ -x /usr/bin/python3 ] && [ "$(command -v python3)" != /usr/bin/python3 ]; then
    mkdir -p "$build/python"
    ln -sfn /usr/bin/python3 "$build/python/python3"
    export PATH=$build/python:$PATH
  fi
}

# What is compiled for one folder serves others, of packages above all. Who has set ccache up keeps that.
use_ccache ()
{
  export CCACHE_BASEDIR=${CCACHE_BASEDIR-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1} CCACHE_DEPEND=${CCACHE_DEPEND-1} \
    CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-locale}
}

prepare_tests ()
{
  use_system_python
  ccache_is_new=yes
  ! command -v ccache >/dev/null || ccache_is_new=no
  install_packages "$1" || say "Going on with what is here."
  use_ccache
  # shellcheck source=tests/dev/npm.sh
  . "$root/tests/dev/npm.sh"
  install_npm
  make_locale
}

# Sets stages and again: empty folders for what they find, and for what is to run once more.
begin_stages ()
{
  stages=$build/logs/stages again=$build/logs/again
  rm -rf "$stages" "$again"
  mkdir -p "$stages" "$again"
}

# Sums up what the stages found, and fails where one of them did.
sum_up ()
{
  local passed=0 failed=0 skipped=0 file counts line table=() cpu_seconds
  for file in "$stages"/*; do
    { read -r -a counts && read -r line; } <"$file"
    passed=$((passed + counts[0])) failed=$((failed + counts[1])) skipped=$((skipped + counts[2]))
    table+=("$line")
  done
  [ ${#table[@]} -le 1 ] || printf '%s\n' "" "${table[@]}" >&2
  read_cpu_seconds
  say "All in $((SECONDS / 60)) min $((SECONDS % 60)) s, $cpu_seconds s of the processors; logs in ${build#"$PWD"/}/logs."
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
}

# run_again FILE: two lanes on few processors take time from each other that some tests need. What failed in a stage
# runs twice more with nothing beside it; what passes then is named, and counts as passed.
run_again ()
{
  local key=${1##*/} what names counts line seconds log
  mapfile -t what <"$1"
  mapfile -t names < <(python3 "$root/tests/dev/again.py" names "${what[1]}/meson-logs/${what[2]}")
  # So many do not fail for want of time.
  [ ${#names[@]} -gt 0 ] && [ ${#names[@]} -le 5 ] || return 0
  say "== again, alone: ${names[*]}"
  rm -f "${what[1]}"/meson-logs/testlog-again*.json
  meson_test "again-${what[0]}" "${what[1]}" "${what[@]:4}" --logbase testlog-again --repeat 2 --num-processes 1 \
    "${names[@]}" >/dev/null 2>&1 || true
  for log in "${what[1]}"/meson-logs/testlog-again*.json; do
    [ ! -f "$log" ] || python3 "$root/tests/dev/again.py" merge "${what[1]}/meson-logs/${what[2]}" "$log" "$build/logs"
  done
  counts=$(python3 "$root/tests/dev/tally.py" "${what[1]}/meson-logs/${what[2]}" 2>/dev/null) || return 0
  { read -r _ && read -r line; } <"$stages/$key"
  seconds=${line% s} seconds=${seconds##* }
  read -r stage_passed stage_failed stage_skipped <<<"$counts"
  write_stage "$key" "${what[3]}" "$seconds"
}

run_full_tests ()
{
  export GMCP_KILLER_SECONDS=${GMCP_KILLER_SECONDS:-60} GMCP_LOAD=full
  stage 1-gcc 'gcc, all but the unit tests' stage_gcc_full
  stage 3-sanitizers 'unit tests, with sanitizers' stage_sanitizers
  stage 4-off 'optional features off: their tests' stage_features_off
  # Its end is the second lane's.
  cat <&"$second_lane" >/dev/null
  local file
  for file in "$again"/*; do
    [ ! -f "$file" ] || run_again "$file"
  done
}

# pick_tests NAME…: sets picked to the tests that are called so, or are of a suite that is.
pick_tests ()
{
  local names
  names=$(python3 "$root/tests/dev/pick.py" "$build" "$@") || exit 2
  mapfile -t picked <<<"$names"
}

stage_picked () { suites named "$build" testlog.json "${picked[@]}"; }

run_named_tests ()
{
  configure_level test
  pick_tests "${test_names[@]}"
  stage 1-named "${test_names[*]}" stage_picked
}

# start_load: keeps more processes busy than there are processors, until this one ends.
start_load ()
{
  local i
  for ((i = 0; i < 2 * $(nproc); i++)); do
    "$root/tests/dev/burn.sh" $$ </dev/null >/dev/null 2>&1 &
  done
}

stage_fuzz_long () { build_sanitized "$fuzz_inputs" && sanitized_failed=0 && stage_fuzz; }

# run_fuzz_targets INPUTS: the targets alone, for as long as it takes.
run_fuzz_targets ()
{
  [[ $1 =~ ^[1-9][0-9]{0,8}$ ]] || usage_error "fuzz takes a number of inputs from 1 to 999999999, not \"$1\""
  fuzz_inputs=$1
  prepare_tests test
  begin_stages
  stage 1-fuzz "fuzzing, $1 inputs a target" stage_fuzz_long
  sum_up
}

run_repeated_tests ()
{
  local log=$build/meson-logs/testlog-repeat-unsteady.sh.json which=(--no-suite network --no-suite browser --no-suite packaging)
  build_level test || return 1
  if [ ${#test_names[@]} -gt 0 ]; then
    pick_tests "${test_names[@]}"
    which=("${picked[@]}")
  fi
  rm -f "$log"
  say "== $test_repeat times, beside a load"
  start_load
  logged test-repeat meson test -C "$build" --no-rebuild --repeat "$test_repeat" --logbase testlog-repeat \
    --wrapper "$root/tests/dev/unsteady.sh" --num-processes $((4 * $(nproc))) --timeout-multiplier 20 \
    "${which[@]}" >/dev/null 2>&1 || true
  [ -f "$log" ] || { tail -n 20 "$build/logs/test-repeat.log" >&2; return 1; }
  python3 "$root/tests/dev/tally.py" --repeated "$build/logs" "$log"
}

# A sandbox has a /tmp of its own: the servers of the tests would not be in it.
warn_of_tmp ()
{
  case $root/ in
    /tmp/*) say "This tree is in /tmp, which no sandbox shows: tests with a sandbox fail here." ;;
  esac
}

run_tests ()
{
  parse_test_arguments "$@"
  warn_of_tmp
  if [ "$test_full" = yes ]; then prepare_tests full; else prepare_tests test; fi
  begin_stages
  if [ "$test_repeat" -gt 0 ]; then
    run_repeated_tests
    return
  elif [ ${#test_names[@]} -gt 0 ]; then
    run_named_tests
  elif [ "$test_full" = yes ]; then
    run_full_tests
  else
    stage 1-gcc 'gcc, all suites' stage_gcc
  fi
  sum_up
}
