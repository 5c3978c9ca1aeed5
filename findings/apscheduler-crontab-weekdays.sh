#!/usr/bin/env bash
# APScheduler reads the weekdays of a crontab line a day late: 1-5 is Tuesday to Saturday.
#
# Expected: CronTrigger.from_crontab reads the line as cron does: 0 and 7 are Sunday, 1 is Monday.
# Instead: 0 is Monday, so `0 9 * * 1-5` runs on Saturday and not on Monday. 7 is an error. A day of the month beside a weekday
#   means both, where cron means either.
# Versions: apscheduler 3.11.3, croniter 7.0.0 (both newest), Python 3.11. Date: 2026-11-28.
# Hurts: schedules that move from cron, Kubernetes or n8n to Python: the report of Monday comes on Tuesday.
# In our code: nothing is scheduled by a crontab line.
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check apscheduler==3.11.3 croniter==7.0.0
cat >look.py <<'EOF'
from datetime import datetime, timedelta, timezone

from apscheduler.triggers.cron import CronTrigger
from croniter import croniter

BEGIN = datetime(2027, 1, 1, tzinfo=timezone.utc)


def apscheduler_runs(line, days):
    trigger, run, runs = CronTrigger.from_crontab(line, timezone=timezone.utc), None, []
    while (run := trigger.get_next_fire_time(run, run or BEGIN)) and run < BEGIN + timedelta(days=days):
        runs.append(run)
    return runs


def croniter_runs(line, days):
    dates, runs = croniter(line, BEGIN), []
    while (run := dates.get_next(datetime)) < BEGIN + timedelta(days=days):
        runs.append(run)
    return runs


def weekdays(runs):
    return " ".join(run.strftime("%a") for run in sorted(runs, key=lambda run: run.weekday()))


weeks = weekdays(apscheduler_runs("0 9 * * 1-5", 7)), weekdays(croniter_runs("0 9 * * 1-5", 7))
print("0 9 * * 1-5: APScheduler", weeks[0], "croniter", weeks[1])
assert weeks == ("Tue Wed Thu Fri Sat", "Mon Tue Wed Thu Fri")

both = len(apscheduler_runs("0 0 13 * fri", 365)), len(croniter_runs("0 0 13 * fri", 365))
print("0 0 13 * fri, runs of 2027: APScheduler", both[0], "croniter", both[1])
assert both == (1, 63)

try:
    CronTrigger.from_crontab("0 9 * * 7")
    raise SystemExit("7 is a weekday now")
except ValueError as error:
    print("0 9 * * 7:", error)
EOF
venv/bin/python look.py
