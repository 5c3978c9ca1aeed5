import { DAY_MS } from '@sluice/contract/time/durations';
import { readCalendar } from '@sluice/import/calendar/read-calendar';
import { expect } from 'chai';
import fc from 'fast-check';

/** A change of the clocks: its first date, the offsets before and after it, and how it repeats. */
type Change = readonly [first: string, before: string, after: string, ...again: string[]];

/**
 * The instant that a local time is read as. With `changes`, the calendar describes the zone; without, the platform
 * does.
 */
function instantOf(local: string, tzid: string, changes: readonly Change[] = []): string | undefined {
  const described = changes.flatMap(([first, before, after, ...again]) => [
    'BEGIN:STANDARD',
    `DTSTART:${first}`,
    `TZOFFSETFROM:${before}`,
    `TZOFFSETTO:${after}`,
    ...again,
    'END:STANDARD',
  ]);
  const zone = changes.length === 0 ? [] : ['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...described, 'END:VTIMEZONE'];
  const event = ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:x', `DTSTART;TZID=${tzid}:${local}`, 'END:VEVENT'];
  const result = readCalendar(['BEGIN:VCALENDAR', ...zone, ...event, 'END:VCALENDAR'].join('\r\n'));
  return result.outcome === 'read' ? result.rows[0]?.event.starts_at : undefined;
}

const yearly = (rest: string) => `RRULE:FREQ=YEARLY;${rest}`;

/** Each form of description that calendar programs use, for years in which the platform's data agree with it. */
const ZONES: readonly [how: string, name: string, years: [number, number], changes: readonly Change[]][] = [
  [
    'by the last Sundays of months',
    'Europe/Berlin',
    [1997, 2036],
    [
      ['19810329T020000', '+0100', '+0200', yearly('BYMONTH=3;BYDAY=-1SU')],
      ['19961027T030000', '+0200', '+0100', yearly('BYMONTH=10;BYDAY=-1SU')],
    ],
  ],
  [
    'with its summer over the turn of the year',
    'Australia/Sydney',
    [2009, 2036],
    [
      ['20081005T020000', '+1000', '+1100', yearly('BYMONTH=10;BYDAY=1SU')],
      ['20080406T030000', '+1100', '+1000', yearly('BYMONTH=4;BYDAY=1SU')],
    ],
  ],
  [
    'by Sundays among days of the month',
    'America/New_York',
    [2008, 2036],
    [
      ['20070311T020000', '-0500', '-0400', yearly('BYMONTH=3;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU')],
      ['20071104T020000', '-0400', '-0500', yearly('BYMONTH=11;BYMONTHDAY=1,2,3,4,5,6,7;BYDAY=SU')],
    ],
  ],
  [
    'by rules that ended and the rules that followed them',
    'America/New_York',
    [1988, 2036],
    [
      ['19870405T020000', '-0500', '-0400', yearly('BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z')],
      ['20070311T020000', '-0500', '-0400', yearly('BYMONTH=3;BYDAY=2SU')],
      ['19671029T020000', '-0400', '-0500', yearly('BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z')],
      ['20071104T020000', '-0400', '-0500', yearly('BYMONTH=11;BYDAY=1SU')],
    ],
  ],
  [
    'by a list of its changes',
    'Europe/Berlin',
    [2008, 2010],
    [
      ['20070325T020000', '+0100', '+0200', 'RDATE:20080330T020000,20090329T020000', 'RDATE:20100328T020000'],
      ['20071028T030000', '+0200', '+0100', 'RDATE:20081026T030000,20091025T030000,20101031T030000'],
    ],
  ],
  [
    'by rules that begin in 1601, as Outlook writes them',
    'America/New_York',
    [2008, 2036],
    [
      ['16010101T020000', '-0400', '-0500', yearly('INTERVAL=1;BYDAY=1SU;BYMONTH=11')],
      ['16010101T020000', '-0500', '-0400', yearly('INTERVAL=1;BYDAY=2SU;BYMONTH=3')],
    ],
  ],
  ['by one change long ago', 'Asia/Kolkata', [1970, 2036], [['19451015T000000', '+0630', '+0530']]],
  ['to the second', 'Asia/Kolkata', [1907, 1940], [['19060101T000000', '+052110', '+0530']]],
];

const two = (n: number) => String(n).padStart(2, '0');

describe('icalendar: time zones that a calendar describes', () => {
  for (const [how, name, [from, to], changes] of ZONES) {
    it(`converts ${name} ${how} as the platform does`, () => {
      const date = fc.tuple(
        fc.integer({ min: from, max: to }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 28 }),
      );
      // Midnight to four is when clocks change.
      const hour = fc.oneof(fc.nat(23), fc.nat(4));
      fc.assert(
        fc.property(date, hour, fc.nat(59), ([year, month, day], h, minute) => {
          const at = `${year}${two(month)}${two(day)}T${two(h)}${two(minute)}00`;
          expect(instantOf(at, `${name} (mine)`, changes), at).to.equal(instantOf(at, name));
        }),
        { numRuns: 200 },
      );
    });

    it(`changes the clocks of ${name} ${how} when the platform does`, () => {
      const start = (ms: number, described: readonly Change[] = []) =>
        instantOf(
          new Date(ms).toISOString().slice(0, 19).replaceAll(/[:-]/g, ''),
          described.length === 0 ? name : `${name} (mine)`,
          described,
        );
      const offset = (ms: number) => ms - Date.parse(start(ms) ?? '');
      for (let day = Date.UTC(to, 0, 1); day < Date.UTC(to, 11, 31); day += DAY_MS) {
        if (offset(day) === offset(day + DAY_MS)) continue;
        for (let at = day; at < day + DAY_MS; at += DAY_MS / 96)
          expect(start(at, changes), new Date(at).toISOString()).to.equal(start(at));
      }
    });
  }

  const from = '20000401T030000';
  for (const [rule, last, first] of [
    ['RRULE:FREQ=YEARLY', '20300401T025900', '20300401T030000'],
    [yearly('BYMONTHDAY=-1'), '20300430T025900', '20300430T030000'],
    [yearly('BYMONTH=9;BYDAY=-2MO;WKST=SU'), '20300923T025900', '20300923T030000'],
  ] as const) {
    it(`applies ${rule} on its day of every year, at the time of the first change`, () => {
      // Before it, the offset is that of the other change, half a year earlier.
      const changes: Change[] = [
        ['19991201T000000', '+0200', '+0100', yearly('BYMONTH=12;BYDAY=1SU')],
        [from, '+0100', '+0200', rule],
      ];
      const before = last.replace(/00$/, '00Z');
      expect(instantOf(last, 'Mine', changes), last).to.equal(minus(before, 1));
      expect(instantOf(`${first.slice(0, 8)}T120000`, 'Mine', changes)).to.equal(
        minus(`${first.slice(0, 8)}T120000Z`, 2),
      );
    });
  }

  for (const [until, year] of [
    ['20020401', 2002],
    ['20020401T030000', 2002],
    ['20020401T015900Z', 2001],
    ['20020401T020000Z', 2002],
  ] as const) {
    it(`applies a rule until ${until} for the last time in ${year}`, () => {
      const changes: Change[] = [
        [from, '+0100', '+0200', yearly(`UNTIL=${until}`)],
        ['20000901T000000', '+0200', '+0100', yearly('')],
      ];
      const summers = [2000, 2001, 2002, 2003].filter(
        (one) => instantOf(`${one}0701T120000`, 'Mine', changes) === `${one}-07-01T10:00:00Z`,
      );
      expect(summers.at(-1)).to.equal(year);
    });
  }

  it('uses the offset before the earliest change, wherever in the file that change is', () => {
    const later: Change = ['20010401T000000', '+0500', '+0600'];
    const first: Change = ['20000401T000000', '+0300', '+0500'];
    for (const changes of [
      [first, later],
      [later, first],
    ])
      expect(instantOf('19990401T120000', 'Mine', changes)).to.equal('1999-04-01T09:00:00Z');
  });

  const right: Change = ['20000401T000000', '+0100', '+0200'];
  for (const wrong of [
    ['2000', '+0100', '+0200'],
    ['20000431T000000', '+0100', '+0200'],
    ['20000401T250000', '+0100', '+0200'],
    ['20000401T006000', '+0100', '+0200'],
    ['20000401T000061', '+0100', '+0200'],
    ['20000401T000000', '+0100', 'x+0200'],
    ['20000401T000000', '+0100', '+0200x'],
    ...[
      'FREQ=MONTHLY',
      'FREQ=YEARLY;INTERVAL=2',
      'FREQ=YEARLY;BYSETPOS=1',
      'FREQ=YEARLY;BYMONTH=13',
      'FREQ=YEARLY;BYMONTH=0',
      'FREQ=YEARLY;BYMONTH=4;BYDAY=6SU',
      'FREQ=YEARLY;BYMONTH=4;BYDAY=1SU,2SU',
      'FREQ=YEARLY;BYMONTHDAY=32',
      'FREQ=YEARLY;BYMONTHDAY=-32',
      'FREQ=YEARLY;BYMONTHDAY=0',
      'FREQ=YEARLY;BYMONTHDAY=1.5',
      'FREQ=YEARLY;UNTIL=2010',
    ].map((rule): Change => ['20000401T000000', '+0100', '+0200', `RRULE:${rule}`]),
  ] as Change[]) {
    it(`rejects a zone that changes ${wrong.join(' ')}, because a wrong time is worse than none`, () => {
      expect(instantOf('20300701T120000', 'Mine', [right, wrong])).to.equal(undefined);
    });
  }
});

/** The instant `hours` before a UTC time in iCalendar format. */
function minus(utc: string, hours: number): string {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(utc)?.slice(1).map(Number) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const at = Date.UTC(year, month - 1, day, hour - hours, minute, second);
  return new Date(at).toISOString().replace('.000', '');
}
