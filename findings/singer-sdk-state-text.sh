#!/usr/bin/env bash
# A tap of Meltano's Singer SDK calls sorted records unsorted, when a time has a fraction or another offset.
#
# Expected: 10:00:00.500Z is after 10:00:00Z, and the state of a stream is its latest instant.
# Instead: times are compared as texts, and "." is before "Z". A sorted stream fails with InvalidStreamSortException; an unsorted one
#   keeps 10:00:00Z. 10:00+02:00 counts as later than 09:00Z, which is an hour after it.
# Version: singer-sdk 0.54.9 (the newest), Python 3.11. Date: 2026-11-28.
# Hurts: taps of APIs that leave out a fraction of zero, as isoformat() of Python does: they stop at some records, or read them again.
# In our code: packages/contract writes each instant in UTC with milliseconds, so the order of the texts is the order of the times.
# Usage: findings/singer-sdk-state-text.sh [version of singer-sdk]
set -euo pipefail
version=${1:-0.54.9}
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check "singer-sdk==$version"
cat >tap.py <<'EOF'
import sys

from singer_sdk import Stream, Tap
from singer_sdk import typing as th
from singer_sdk.exceptions import InvalidStreamSortException

order, *times = sys.argv[1:]


class Leads(Stream):
    name = "leads"
    primary_keys = ("id",)
    replication_key = "updated_at"
    is_sorted = order == "sorted"
    schema = th.PropertiesList(
        th.Property("id", th.IntegerType), th.Property("updated_at", th.DateTimeType)
    ).to_dict()

    def get_records(self, context):
        for number, time in enumerate(times):
            yield {"id": number, "updated_at": time}


class TapLeads(Tap):
    name = "tap-leads"
    config_jsonschema = th.PropertiesList().to_dict()

    def discover_streams(self):
        return [Leads(self)]


try:
    TapLeads(config={}).sync_all()
except InvalidStreamSortException as error:
    print("InvalidStreamSortException:", error)
EOF
# Prints the error, or the time in the last state.
sync() {
  venv/bin/python tap.py "$@" 2>/dev/null | grep -o 'InvalidStreamSort.*\|"replication_key_value":"[^"]*"' | tail -1
}
expect() {
  local seen
  seen=$(sync "${@:2}")
  echo "${*:2}: $seen"
  [[ $seen == *"$1"* ]] || { echo "not seen any more: $1"; exit 1; }
}
expect 'InvalidStreamSortException' sorted 2026-05-01T10:00:00Z 2026-05-01T10:00:00.500Z
expect '"2026-05-01T10:00:00.500Z"' sorted 2026-05-01T10:00:00.000Z 2026-05-01T10:00:00.500Z
expect '"2026-05-01T10:00:00Z"' unsorted 2026-05-01T10:00:00Z 2026-05-01T10:00:00.500Z
expect '"2026-05-01T10:00:00+02:00"' unsorted 2026-05-01T10:00:00+02:00 2026-05-01T09:00:00Z
