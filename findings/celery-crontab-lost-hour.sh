#!/usr/bin/env bash
# A Celery task of every 15 minutes does not run for more than an hour when the clocks go back, and a weekday beside a day means both.
#
# Expected: `*/15` runs each quarter of an hour, as with cron and croniter. `0 0 13 * fri` runs on each 13th and on each Friday.
# Instead: after 02:45 of the first round nothing runs until 03:00, 75 minutes later: the second round is passed over. The second
#   line runs on a Friday that is a 13th, once or twice a year.
# Versions: celery 5.7.0, croniter 7.0.0 (both newest), Python 3.11. Date: 2026-11-28.
# Hurts: beat schedules with a zone that changes its clocks: no sync or retry for an hour, in each October.
# In our code: no schedule follows local clocks; packages/mailboxes computes delays in milliseconds.
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check celery==5.7.0 croniter==7.0.0 tzdata==2026.3
cat >look.py <<'EOF'
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from celery import Celery
from celery.schedules import crontab
from croniter import croniter

BERLIN = ZoneInfo("Europe/Berlin")
app = Celery()
app.conf.timezone = "Europe/Berlin"


def celery_runs(schedule, begin, end, step):
    """What beat does: it asks is_due() again and again, with the time of the last run."""
    clock = [begin]
    due = crontab(**schedule, nowfun=lambda: clock[0].astimezone(BERLIN), app=app)
    last, runs = begin.astimezone(BERLIN), []
    while clock[0] < end:
        if due.is_due(last).is_due:
            last = clock[0].astimezone(BERLIN)
            runs.append(clock[0])
        clock[0] += step
    return runs


def croniter_runs(line, begin, end):
    runs, dates = [], croniter(line, begin.astimezone(BERLIN))
    while (run := dates.get_next(datetime).astimezone(timezone.utc)) < end:
        runs.append(run)
    return runs


def longest_pause(runs):
    return max((after - before for before, after in zip(runs, runs[1:])), default=None)


night = datetime(2027, 10, 30, 23, 50, tzinfo=timezone.utc)
morning = night + timedelta(hours=4)
by_celery = celery_runs({"minute": "*/15"}, night, morning, timedelta(minutes=1))
by_croniter = croniter_runs("*/15 * * * *", night, morning)
print("Celery, in UTC:  ", *(run.strftime("%H:%M") for run in by_celery))
print("croniter, in UTC:", *(run.strftime("%H:%M") for run in by_croniter))
assert longest_pause(by_celery) == timedelta(minutes=75)
assert longest_pause(by_croniter) == timedelta(minutes=15)

new_year = datetime(2027, 1, 1, tzinfo=timezone.utc)
friday = {"minute": "0", "hour": "0", "day_of_month": "13", "day_of_week": "fri"}
both = celery_runs(friday, new_year, new_year + timedelta(days=365), timedelta(minutes=30))
either = croniter_runs("0 0 13 * 5", new_year, new_year + timedelta(days=365))
print("runs of 2027 for 13 and Friday: Celery", len(both), "croniter", len(either))
assert (len(both), len(either)) == (1, 63)
EOF
venv/bin/python look.py
