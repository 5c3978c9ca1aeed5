import { expect } from 'chai';
import { calendar, read, vevent } from './support.ts';

const WEEKLY = 'RRULE:FREQ=WEEKLY';

/** A description of a zone with these two offsets. */
function described(tzid: string, standard: string, daylight: string): string[] {
  return [
    ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, 'BEGIN:STANDARD', 'DTSTART:19701025T030000'],
    ...['RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', `TZOFFSETFROM:${daylight}`, `TZOFFSETTO:${standard}`],
    ...['END:STANDARD', 'BEGIN:DAYLIGHT', 'DTSTART:19700329T020000'],
    ...['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', `TZOFFSETFROM:${standard}`, `TZOFFSETTO:${daylight}`],
    ...['END:DAYLIGHT', 'END:VTIMEZONE'],
  ];
}

const zoneOf = (start: string, others: readonly string[] = [], rule = WEEKLY) =>
  read(calendar(...others, ...vevent('SUMMARY:x', start, rule))).rows[0]?.timeZone;

describe('icalendar: the time zone of a series', () => {
  for (const [what, start, others, zone] of [
    ['an IANA name', 'DTSTART;TZID=Europe/Berlin:20260706T100000', [], 'Europe/Berlin'],
    ['a name of Windows', 'DTSTART;TZID=W. Europe Standard Time:20260706T100000', [], 'Europe/Berlin'],
    ['a prefix', 'DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260706T100000', [], 'Europe/Berlin'],
    ['the zone of the calendar', 'DTSTART:20260706T100000', ['X-WR-TIMEZONE:Asia/Tokyo'], 'Asia/Tokyo'],
    [
      'a description that agrees with the name',
      'DTSTART;TZID=Europe/Berlin:20260706T100000',
      described('Europe/Berlin', '+0100', '+0200'),
      'Europe/Berlin',
    ],
    [
      'a description that disagrees in winter',
      'DTSTART;TZID=Europe/Berlin:20260706T100000',
      described('Europe/Berlin', '+0200', '+0200'),
      undefined,
    ],
    [
      'a made-up name with a description',
      'DTSTART;TZID=Our hall:20260706T100000',
      described('Our hall', '+0100', '+0200'),
      undefined,
    ],
    ['an offset', 'DTSTART;TZID="+02:00":20260706T100000', [], undefined],
    ['a time in UTC', 'DTSTART:20260706T080000Z', ['X-WR-TIMEZONE:Europe/Berlin'], undefined],
    ['no zone at all', 'DTSTART:20260706T100000', [], undefined],
  ] as const)
    it(`of ${what} is ${zone ?? 'unknown'}`, () => {
      expect(zoneOf(start, others)).to.equal(zone);
    });

  it('belongs to a recurring event alone', () => {
    expect(zoneOf('DTSTART;TZID=Europe/Berlin:20260706T100000', [], 'X-A:b')).to.equal(undefined);
  });
});
