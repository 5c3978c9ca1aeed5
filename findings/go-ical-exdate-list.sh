#!/usr/bin/env bash
# go-ical cannot expand a series with two cancelled days in one EXDATE, and knows no RDATE.
#
# Expected: `EXDATE:…,…` removes both days, as two lines do (RFC 5545, 3.8.5.1 has a list). An `RDATE` adds a day, with a rule and
#   without one.
# Instead: RecurrenceSet() fails with "extra text", so the whole series has no days. An `RDATE` is passed over without an error. An event
#   whose days are listed without a rule has no RecurrenceSet, so it looks like a single event.
# Version: github.com/emersion/go-ical v0.0.0-20250329121855-f41e73efc392 (the newest), Go 1.24 or later. Date: 2026-11-29.
# Hurts: CalDAV clients and servers in Go: one list in a calendar of another program takes the whole series away.
# In our code: packages/icalendar expands no series. The preview of an import lists events with RDATE or EXDATE.
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
	"strings"
	"time"

	ical "github.com/emersion/go-ical"
)

const rule = "RRULE:FREQ=DAILY;COUNT=4"

// days lists the days of an event that begins on 5 May.
func days(lines ...string) string {
	all := append([]string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//findings//EN", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z",
		"DTSTART;TZID=Europe/Berlin:20270505T180000"}, lines...)
	text := strings.Join(append(all, "END:VEVENT", "END:VCALENDAR", ""), "\r\n")
	calendar, err := ical.NewDecoder(strings.NewReader(text)).Decode()
	if err != nil {
		return err.Error()
	}
	set, err := calendar.Events()[0].RecurrenceSet(time.UTC)
	if err != nil {
		return err.Error()
	}
	if set == nil {
		return "no set"
	}
	found := []string{}
	for _, day := range set.All() {
		found = append(found, day.Format("2"))
	}
	return strings.Join(found, " ")
}

func main() {
	seen := []string{
		days(rule, "EXDATE;TZID=Europe/Berlin:20270506T180000", "EXDATE;TZID=Europe/Berlin:20270507T180000"),
		days(rule, "EXDATE;TZID=Europe/Berlin:20270506T180000,20270507T180000"),
		days(rule, "RDATE;TZID=Europe/Berlin:20270512T180000"),
		days("RDATE;TZID=Europe/Berlin:20270512T180000,20270513T180000"),
	}
	fmt.Println("two EXDATE:", seen[0], "\none EXDATE with two days:", seen[1], "\na rule and an RDATE:", seen[2], "\nan RDATE:", seen[3])
	if seen[0] != "5 8" || !strings.HasSuffix(seen[1], `extra text: "T180000"`) || seen[2] != "5 6 7 8" || seen[3] != "no set" {
		fmt.Println("the behaviour has changed")
		os.Exit(1)
	}
}
EOF
go mod init findings 2>/dev/null
go get github.com/emersion/go-ical@v0.0.0-20250329121855-f41e73efc392 2>/dev/null
go run .
