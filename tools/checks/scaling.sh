#!/usr/bin/env bash
# Runs the commands of a section of docs/scaling.md as they are written there. "A cluster, step by step":
# two databases with TLS and roles with passwords, a synchronous replica, two servers, a failover, the old
# primary rebuilt by pg_rewind, a restore to an earlier time with a new epoch, and a rolling restart.
# With `patroni` "A failover manager, step by step", while the clients of `torture calls` call the servers,
# and QUIVER_FAULTS more faults by the dice of QUIVER_SEED. With `--bare DIRECTORY` before that all of it runs
# in a bare Debian there, of root, which debootstrap makes first where nothing is: it has its packages of
# PostgreSQL, Patroni, etcd and OpenSSL, the programs and the libraries that they name, and nothing else.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/install"

# Runs this script in a bare Debian.
bare() {
  local system=$1 path
  local chroot=(chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive)
  [[ $(id -u) == 0 ]] || fail "--bare needs root"
  if [[ ! -e $system/usr/bin/patroni ]]; then
    install_packages debootstrap
    debootstrap --variant=minbase bookworm "$system" >&2
    # Nothing starts by being installed.
    printf '#!/bin/sh\nexit 101\n' >"$system/usr/sbin/policy-rc.d"
    chmod 755 "$system/usr/sbin/policy-rc.d"
    "${chroot[@]}" apt-get install -y -qq --no-install-recommends postgresql-common openssl >&2
    sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' "$system/etc/postgresql-common/createcluster.conf"
    "${chroot[@]}" apt-get install -y -qq --no-install-recommends postgresql-15 patroni etcd-server >&2
  fi
  rm -rf "$system/quiver"
  mkdir -p "$system/quiver/bin" "$system/quiver/docs"
  cp -r "$root/tools" "$system/quiver/"
  cp "$root/docs/scaling.md" "$system/quiver/docs/"
  for path in quiverd quiver torture; do cp "${QUIVER_PROGRAMS:-$root/.build/debug}/$path" "$system/quiver/bin/"; done
  while read -r path; do
    [[ -e $system$path ]] || install -D "$path" "$system$path"
  done < <(ldd "$system"/quiver/bin/* | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u)
  # shellcheck disable=SC2016
  unshare --mount bash -c 'mount --bind /proc "$1/proc" && mount --rbind /dev "$1/dev" && shift && exec "$@"' bare "$system" \
    "${chroot[@]}" QUIVER_PROGRAMS=/quiver/bin QUIVER_FAULTS="${QUIVER_FAULTS:-}" QUIVER_SEED="${QUIVER_SEED:-}" \
    bash /quiver/tools/checks/scaling.sh "${@:2}"
}

if [[ ${1:-} == --bare ]]; then
  [[ -n ${2:-} ]] || fail "--bare wants a directory"
  bare "$(realpath -m "$2")" "${@:3}"
  exit
fi
case ${1:-} in
  patroni) section='A failover manager, step by step' ;;
  *) section='A cluster, step by step' ;;
esac
folder=$(mktemp -d "${TMPDIR:-/tmp}/quiver-scaling.XXXXXX")

# Prints the commands of the section, with the number of each line's place in the page.
commands() {
  awk -v wanted="## $section" '
    /^## / { is_in = $0 == wanted; next }
    is_in && /^    / {
      if (!was_block) print "at " NR
      print substr($0, 5)
    }
    { was_block = is_in && /^    / }' "$root/docs/scaling.md"
}

end() {
  local pidfile
  for pidfile in "$folder"/run/db?/postmaster.pid; do
    [[ ! -e $pidfile ]] || kill -QUIT "$(head -1 "$pidfile")" 2>/dev/null || true
  done
  rm -rf "$folder"
}
trap end EXIT

if [[ ${1:-} == patroni ]]; then
  install_patroni
  export CALLS=1
fi
programs=$(compgen -G '/usr/lib/postgresql/*/bin/initdb' | tail -1) || fail "install postgresql-15"
{
  echo 'set -Eeuo pipefail'
  # shellcheck disable=SC2016 # they are expanded where they run
  echo 'trap '\''echo "docs/scaling.md: the commands at line $line failed: $BASH_COMMAND" >&2; tail -n 3 *.log >&2'\'' ERR'
  # shellcheck disable=SC2016
  echo 'trap '\''kill ${callers:+"$callers" "$holder"} "${pids[@]}" "${managers[@]}" 2>/dev/null || true; kill "${others[@]}" 2>/dev/null || true; wait'\'' EXIT'
  echo 'pids=() managers=() others=()'
  [[ -z ${CALLS:-} ]] || cat "$root/tools/checks/manager_faults"
  cat <<'AT'
at() {
  line=$1
  [[ -z ${CALLS:-} || -z ${before:-} || -n ${callers:-} ]] || begin_calls
}
AT
  commands
  if [[ -n ${CALLS:-} ]]; then
    [[ -z ${QUIVER_FAULTS:-} ]] || echo "disturb $QUIVER_FAULTS ${QUIVER_SEED:-$RANDOM}"
    # shellcheck disable=SC2016
    echo 'end_calls && [[ $(epoch) == "$before" ]]'
  fi
} >"$folder/script"
count=$(grep -c '^at [0-9]' "$folder/script") || fail "docs/scaling.md has no such section"
mkdir "$folder/bin" "$folder/run"
ln -s "$root/tools/dev-certificates" "$folder/bin/"
# On a busy machine the database may not take a connection in time (exit code 75): again.
quiverd=$(realpath "${QUIVER_PROGRAMS:-$root/.build/debug}/quiverd")
cat >"$folder/bin/quiverd" <<WRAPPER
#!/usr/bin/env bash
case \${1:-} in init | epoch) ;; *) exec "$quiverd" "\$@" ;; esac
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  status=0
  "$quiverd" "\$@" || status=\$?
  [[ \$status == 75 ]] || break
done
exit "\$status"
WRAPPER
chmod 755 "$folder/bin/quiverd"
export PATH="$folder/bin:${QUIVER_PROGRAMS:-$root/.build/debug}:${programs%/initdb}:$PATH"

# PostgreSQL does not run as root. Where it is allowed the ports are those of a network of its own.
run=(bash "$folder/script")
own=
if [[ $(id -u) == 0 ]]; then
  user=nobody
  ! id -u postgres >/dev/null 2>&1 || user=postgres
  chmod 755 "$folder"
  chown -R "$user" "$folder/run"
  run=(setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups "${run[@]}")
  if command -v ip >/dev/null && unshare --net true 2>/dev/null; then
    # shellcheck disable=SC2016
    run=(unshare --net bash -c 'ip link set lo up && exec "$@"' network "${run[@]}")
    own=1
  fi
fi
# Without a network of its own a run waits for another one, which has the same ports.
[[ -n $own ]] || { exec 9>"${TMPDIR:-/tmp}/quiver-scaling.lock" && flock 9; }
cd "$folder/run"
HOME=$folder/run "${run[@]}"
echo "docs/scaling.md, $section: $count groups of commands did what the page says" >&2
