# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Sourced by dev: which Debian packages each level of a build needs, and how they get there.

packages_run='gcc libc6-dev meson ninja-build pkg-config gettext libglib2.0-dev libjson-glib-dev libsoup-3.0-dev libsqlite3-dev libpq-dev libyaml-dev libsecret-1-dev libedit-dev'
packages_build='gobject-introspection libgirepository1.0-dev gir1.2-json-1.0 python3-gi gi-docgen'
# libclang-rt-14-dev is the fuzzers' and sanitizers' runtime, which clang only recommends.
packages_test='g++ clang clang-format libclang-rt-14-dev valgrind binutils gjs valac libgtest-dev libjansson-dev locales'
# The JSON Schema test suite, and the meta-schemas that it refers to.
packages_test+=' libtest-json-schema-acceptance-perl python3-jsonschema'
# Servers in a sandbox, and a bus for what stands in for systemd.
packages_test+=' bubblewrap dbus-daemon'
# What starts servers on the host of its sandboxes, and the proxy in between.
packages_test+=' flatpak xdg-dbus-proxy'
# The database and the door that several gmcp-tasks are put behind; the tests start their own.
packages_test+=' postgresql nginx-light'
# A host with a window, and a display for it.
packages_test+=' gir1.2-gtk-4.0 xvfb'
# What a desktop goes by.
packages_test+=' appstream desktop-file-utils'
# What links the hundreds of tests in a tenth of the time.
packages_test+=' mold'
# Shells that complete, and what shows manual pages.
packages_test+=' fish groff-base man-db zsh'
# One of the clients that the benchmarks over HTTP compare with.
packages_test+=' libcurl4-openssl-dev'

# What only ./dev test --full looks at the dashboard with, and what it makes packages of Debian's with, of what is compiled already.
packages_full='ccache chromium-headless-shell debhelper dh-python dpkg-dev fakeroot lintian mmdebstrap'

packages_for ()
{
  case $1 in
    run) echo "$packages_run" ;;
    build) echo "$packages_run $packages_build" ;;
    test) echo "$packages_run $packages_build $packages_test" ;;
    full) echo "$packages_run $packages_build $packages_test $packages_full" ;;
  esac
}

as_root ()
{
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

can_be_root () { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }

installed () { [ "$(dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | head -n 1)" = installed ]; }

# install_named PACKAGE…: installs those that are missing; apt is not touched where none is.
install_named ()
{
  local missing=() package
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "This is not Debian, so nothing is installed. If the build fails, look for what these Debian packages hold:"
    say "  $*"
    return 0
  fi
  # All of them in one query is the common case, and a quick one.
  if [ "$(dpkg-query -W -f '${db:Status-Status}\n' "$@" 2>/dev/null | grep -cx installed)" -ge $# ]; then
    return 0
  fi
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! can_be_root; then
    say "These packages are missing, and only root can install them:"
    say "  apt-get install --no-install-recommends ${missing[*]}"
    return 1
  fi
  say "Installing with apt-get: ${missing[*]}"
  logged apt-update as_root apt-get update || say "(going on with the package lists that are here)"
  logged apt-install as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends "${missing[@]}"
}

install_packages ()
{
  is_built && return 0
  local packages
  read -ra packages <<<"$(packages_for "$1")"
  install_named "${packages[@]}" || die "the packages could not be installed"
}
