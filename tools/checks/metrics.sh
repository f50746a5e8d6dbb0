#!/usr/bin/env bash
# Metrics of a server under load: promtool accepts them, a real Prometheus scrapes them, and its
# counts are those of the load tester.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
load="$QUIVER_PROGRAMS/quiver-load"
. "$root/tools/checks/served"
serve --diagnostics --metrics 127.0.0.1:0

address=$(logged 'event=metrics-listening address=[0-9.]+:[0-9]+')
address=${address##*address=}

# An HTTP client of its own, so that a proxy of the environment is not asked.
get() { curl --silent --show-error --noproxy '*' --max-time 10 "$@"; }

[[ $(get "http://$address/livez") == ok ]] || die "/livez does not answer ok"
[[ $(get "http://$address/readyz") == ok ]] || die "/readyz does not answer ok"
[[ $(get -o /dev/null -w '%{http_code}' "http://$address/other") == 404 ]] || die "no 404"
[[ $(get -o /dev/null -w '%{http_code}' -X POST "http://$address/metrics") == 405 ]] || die "no 405"

# The rules and the dashboard name only metrics that docs/operations.md lists, which a test compares
# with the code, and Prometheus reads all their expressions.
promtool check rules "$root/tools/monitoring/alerts.yml" >"$data/printed" ||
  die "promtool rejects the alert rules" "$data/printed"
"${QUIVER_PYTHON:-python3}" - "$root" "$data" <<'PYTHON'
import json, re, sys
root, data = sys.argv[1:]
page = open(f"{root}/docs/operations.md").read()
listed = set(re.findall(r"^\| `([a-z_]+)` \| (?:counter|gauge|histogram) \|", page, re.M))
panels = json.load(open(f"{root}/tools/monitoring/dashboard.json"))["panels"]
expressions = [target["expr"] for panel in panels for target in panel["targets"]]
text = open(f"{root}/tools/monitoring/alerts.yml").read() + "\n".join(expressions)
used = {re.sub("_(bucket|sum|count)$", "", name)
        for name in re.findall(r"\b(?:quiver|process)_[a-z_]+", text)}
assert len(used) > 20 and used <= listed, used - listed
alerts = re.findall(r"- alert: (\w+)", open(f"{root}/tools/monitoring/alerts.yml").read())
advised = re.findall(r"^\| `(Quiver\w+)` \|", page, re.M)
assert alerts == advised, set(alerts) ^ set(advised)
with open(f"{data}/dashboard.yml", "w") as rules:
    rules.write("groups: [{name: dashboard, rules: [\n")
    for index, expression in enumerate(expressions):
        expression = expression.replace("$__rate_interval", "1m").replace("$instance", ".*")
        rules.write(f"  {{record: 'panel:{index}', expr: {json.dumps(expression)}}},\n")
    rules.write("]}]\n")
PYTHON
promtool check rules "$data/dashboard.yml" >"$data/printed" ||
  die "promtool rejects the dashboard" "$data/printed"

cat >"$data/prometheus.yml" <<YAML
global: {scrape_interval: 2s, scrape_timeout: 2s}
scrape_configs:
  - job_name: quiver
    static_configs: [{targets: ["$address"]}]
YAML
promtool check config "$data/prometheus.yml" >"$data/printed" || die "a bad test" "$data/printed"
for _ in 1 2 3 4 5; do
  port=$(free_port)
  prometheus --config.file="$data/prometheus.yml" --storage.tsdb.path="$data/prometheus" \
    --web.listen-address="127.0.0.1:$port" --log.level=error 2>"$data/prometheus.log" &
  prometheus=$!
  end=$((SECONDS + 60))
  # Another Prometheus may have taken the port: it has other addresses.
  until get --fail "http://127.0.0.1:$port/api/v1/status/config" 2>/dev/null | grep -F "$address" >/dev/null; do
    kill -0 "$prometheus" 2>/dev/null || break
    ((SECONDS < end)) || die "prometheus does not become ready" "$data/prometheus.log"
    sleep 0.2
  done
  ! kill -0 "$prometheus" 2>/dev/null || break
  grep -q 'address already in use' "$data/prometheus.log" || die "prometheus ended" "$data/prometheus.log"
done

"$load" --method Diagnostics/Echo --count 20000 --connections 4 --concurrency 8 \
  --json-out "$data/load.json" >"$data/report" || die "the load failed" "$data/report"

get "http://$address/metrics" >"$data/metrics"
promtool check metrics <"$data/metrics" >"$data/printed" 2>&1 ||
  die "promtool rejects the metrics" "$data/printed"
[[ ! -s $data/printed ]] || die "promtool has something to say" "$data/printed"

# What Prometheus has of a query, as one number; waits until it has scraped what the load did.
query() {
  get --get --data-urlencode "query=$1" "http://127.0.0.1:$port/api/v1/query" |
    "${QUIVER_PYTHON:-python3}" -c '
import json, sys
result = json.load(sys.stdin)["data"]["result"]
print(int(float(result[0]["value"][1])) if result else -1)'
}
calls='service="quiver.v1.Diagnostics",method="Echo"'
wanted=$("${QUIVER_PYTHON:-python3}" - "$data/load.json" <<'PYTHON'
import json, sys
print(json.load(open(sys.argv[1]))["succeeded"])
PYTHON
)
# A scrape that comes late makes `up` 0 and the series stale until the next one: all are asked together.
end=$((SECONDS + 60))
until found=$(query "sum(quiver_server_handled_total{$calls,code=\"OK\"})" 2>/dev/null || echo -1) &&
  timed=$(query "sum(quiver_server_handling_seconds_count{$calls})" 2>/dev/null || echo -1) &&
  up=$(query 'up{job="quiver"}' 2>/dev/null || echo -1) && [[ "$found $timed $up" == "$wanted $wanted 1" ]]; do
  kill -0 "$prometheus" || die "prometheus ended" "$data/prometheus.log"
  ((SECONDS < end)) ||
    die "Prometheus counts $found calls, $timed in the histogram, up $up; the load tester $wanted" "$data/metrics"
  sleep 0.2
done
kill "$prometheus"
wait "$prometheus" || true
end_server
