#!/usr/bin/env bash
# golang-ical knows no end of an event that has a DURATION.
#
# Expected: GetEndAt() adds the DURATION to the start. RFC 5545 (3.6.1) gives an event DTEND or DURATION, and a whole day without either
#   lasts one day.
# Instead: the error is "property not found: DTEND", with the zero time of the year 1. A whole day without an end has the same.
# Version: github.com/arran4/golang-ical v0.3.4 (the newest), Go 1.24 or later. Date: 2026-11-28.
# Hurts: Go programs that read feeds of others: events of programs that write DURATION are skipped, or end in the year 1.
# In our code: packages/icalendar/src/read-times.ts reads both.
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

	ics "github.com/arran4/golang-ical"
)

func end(lines ...string) string {
	event := append([]string{"BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z"}, lines...)
	text := append([]string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//findings//EN"}, event...)
	text = append(text, "END:VEVENT", "END:VCALENDAR", "")
	calendar, err := ics.ParseCalendar(strings.NewReader(strings.Join(text, "\r\n")))
	if err != nil {
		return err.Error()
	}
	at, err := calendar.Events()[0].GetEndAt()
	return fmt.Sprint(at.Year(), " ", err)
}

func main() {
	withEnd := end("DTSTART:20260105T090000Z", "DTEND:20260105T100000Z")
	lasting := end("DTSTART:20260105T090000Z", "DURATION:PT1H")
	day := end("DTSTART;VALUE=DATE:20260105")
	fmt.Printf("DTEND: %s\nDURATION: %s\na day: %s\n", withEnd, lasting, day)
	const none = "1 property not found: DTEND"
	if withEnd != "2026 <nil>" || lasting != none || day != none {
		fmt.Println("the behaviour has changed")
		os.Exit(1)
	}
}
EOF
go mod init findings 2>/dev/null
go get github.com/arran4/golang-ical@v0.3.4 2>/dev/null
go run .
