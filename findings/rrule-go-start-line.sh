#!/usr/bin/env bash
# rrule-go begins a series today, if the text has its RRULE before its DTSTART.
#
# Expected: the order of properties means nothing (RFC 5545, 3.6), so both orders begin on 2026-01-05. A start that is a day
#   (`DTSTART;VALUE=DATE`) is read.
# Instead: only a first line is read as DTSTART. After the RRULE it is passed over without an error, and the series begins now. The day
#   fails with "bad TZID parameter format".
# Version: github.com/teambition/rrule-go v1.8.2 (the newest), Go 1.24 or later. Date: 2026-11-28.
# Hurts: Go services that take DTSTART and RRULE out of an event in its own order: each import makes another series.
# In our code: packages/icalendar/src/components.ts reads properties by name, in any order.
set -euo pipefail
command -v go >/dev/null || { echo 'go is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"
	"time"

	rrule "github.com/teambition/rrule-go"
)

const start = "DTSTART;TZID=Europe/Berlin:20260105T090000"
const rule = "RRULE:FREQ=DAILY;COUNT=2"

func first(text string) string {
	set, err := rrule.StrToRRuleSet(text)
	if err != nil {
		return err.Error()
	}
	return set.All()[0].UTC().Format("2006-01-02T15:04")
}

func main() {
	now := time.Now().UTC()
	before, after, day := first(start+"\n"+rule), first(rule+"\n"+start), first("DTSTART;VALUE=DATE:20260105\n"+rule)
	fmt.Printf("DTSTART, RRULE: %s\nRRULE, DTSTART: %s\na day: %s\n", before, after, day)
	begun, err := time.Parse("2006-01-02T15:04", after)
	isNow := err == nil && begun.After(now.Add(-2*time.Minute)) && begun.Before(now.Add(2*time.Minute))
	if before != "2026-01-05T08:00" || !isNow || day != "StrToDtStart failed: bad TZID parameter format" {
		fmt.Println("the behaviour has changed")
		os.Exit(1)
	}
}
EOF
go mod init findings 2>/dev/null
go get github.com/teambition/rrule-go@v1.8.2 2>/dev/null
go run .
