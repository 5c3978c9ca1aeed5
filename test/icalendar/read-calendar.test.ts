import { decodeCalendar } from '@sluice/icalendar/decode-calendar';
import { type CalendarRead, readCalendar } from '@sluice/icalendar/read-calendar';
import { expect } from 'chai';
import fc from 'fast-check';

type Read = CalendarRead & { outcome: 'read' };

/** A calendar that contains these lines. */
function calendar(...lines: string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

function vevent(...lines: string[]): string[] {
  return ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'];
}

function read(text: string, zone?: string): Read {
  const result = readCalendar(text, zone === undefined ? {} : { zone });
  if (result.outcome === 'refused') throw new Error(result.detail);
  return result;
}

/** The only row of a calendar with one event. */
function only(...lines: string[]) {
  const { rows } = read(calendar(...vevent(...lines)));
  expect(rows).to.have.length(1);
  return rows[0] as Read['rows'][number];
}

function startOf(property: string, ...others: string[]): string | undefined {
  const { rows } = read(calendar(...others, ...vevent('SUMMARY:x', property)));
  return rows[0]?.event.starts_at;
}

const NEW_YORK_OF_OUTLOOK = [
  'BEGIN:VTIMEZONE',
  'TZID:Eastern Standard Time (mine)',
  'BEGIN:STANDARD',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0500',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=1SU;BYMONTH=11',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:-0500',
  'TZOFFSETTO:-0400',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=2SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

describe('icalendar: files', () => {
  it('reads the fields of an event unfolded and unescaped, with their lines', () => {
    const row = only(
      'SUMMARY;LANGUAGE=en:Fair\\, spring\\n2030',
      'DTSTART:20300401T080000Z',
      'DTEND:20300401T100000Z',
      'LOCATION;ALTREP="http://x.example/a:b;c":Main hall\\nBer',
      ' lin',
      'DESCRIPTION:one\\ntwo \\\\ \\;',
      'URL:https://example.com/fair',
      'RRULE:FREQ=WEEKLY;BYDAY=MO',
      'BEGIN:VALARM',
      'DESCRIPTION:an alarm',
      'END:VALARM',
    );
    expect(row).to.deep.include({ row: 1, line: 4, action: 'upsert', errors: [] });
    expect(row.event).to.deep.equal({
      title: 'Fair, spring 2030',
      starts_at: '2030-04-01T08:00:00Z',
      ends_at: '2030-04-01T10:00:00Z',
      location: 'Main hall, Berlin',
      description: 'one\ntwo \\ ;',
      url: 'https://example.com/fair',
      recurring: 'weekly',
    });
    expect(row.lines.description).to.equal(11);
  });

  for (const [property, instant] of [
    ['DTSTART;TZID=Europe/Berlin:20300701T100000', '2030-07-01T08:00:00Z'],
    ['DTSTART;TZID=Europe/Berlin:20301201T100000', '2030-12-01T09:00:00Z'],
    ['DTSTART;TZID="America/New_York":20300701T100000', '2030-07-01T14:00:00Z'],
    ['DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20300701T100000', '2030-07-01T08:00:00Z'],
    ['DTSTART:20300701T100000', '2030-07-01T10:00:00Z'],
    ['DTSTART;VALUE=DATE:20300701', '2030-07-01T00:00:00Z'],
    // The hour that the clocks show twice, and the hour that they skip (RFC 5545, section 3.3.5).
    ['DTSTART;TZID=America/New_York:20071104T013000', '2007-11-04T05:30:00Z'],
    ['DTSTART;TZID=America/New_York:20070311T023000', '2007-03-11T07:30:00Z'],
    ['DTSTART:20161231T235960Z', '2016-12-31T23:59:59Z'],
  ] as const) {
    it(`reads ${property} as ${instant}`, () => {
      expect(startOf(property)).to.equal(instant);
    });
  }

  it("reads times without a zone in the calendar's zone, or in the chosen one", () => {
    const own = calendar(
      'X-WR-TIMEZONE:Europe/Berlin',
      ...vevent('SUMMARY:x', 'DTSTART;VALUE=DATE:20300701'),
    );
    expect(read(own)).to.deep.include({ ownZone: 'Europe/Berlin', withoutZone: 1 });
    expect(read(own).rows[0]?.event.starts_at).to.equal('2030-06-30T22:00:00Z');
    expect(read(own, 'America/New_York').rows[0]?.event.starts_at).to.equal('2030-07-01T04:00:00Z');
  });

  it("converts times by the calendar's own VTIMEZONE as by the named zone", () => {
    const tzid = 'Eastern Standard Time (mine)';
    const two = (n: number) => String(n).padStart(2, '0');
    const times = fc.tuple(fc.integer({ min: 2008, max: 2036 }), fc.integer({ min: 1, max: 12 }), fc.nat(27));
    fc.assert(
      fc.property(times, fc.nat(23), fc.nat(59), ([year, month, day], hour, minute) => {
        const at = `${year}${two(month)}${two(day + 1)}T${two(hour)}${two(minute)}00`;
        const described = startOf(`DTSTART;TZID="${tzid}":${at}`, ...NEW_YORK_OF_OUTLOOK);
        expect(described).to.equal(startOf(`DTSTART;TZID=America/New_York:${at}`));
      }),
    );
    for (const at of ['20300310T023000', '20300310T030000', '20301103T013000', '20301103T020000'])
      expect(startOf(`DTSTART;TZID=${tzid}:${at}`, ...NEW_YORK_OF_OUTLOOK)).to.equal(
        startOf(`DTSTART;TZID=America/New_York:${at}`),
      );
  });

  it('computes the end from a duration: days by the calendar, hours by the clock', () => {
    const ends = (start: string, duration: string) =>
      only('SUMMARY:x', `DTSTART${start}`, `DURATION:${duration}`).event.ends_at;
    expect(ends(':20300701T100000Z', 'PT1H30M')).to.equal('2030-07-01T11:30:00Z');
    // The clocks in Berlin go forward on 31 March 2030.
    expect(ends(';TZID=Europe/Berlin:20300330T120000', 'P1D')).to.equal('2030-03-31T10:00:00Z');
    expect(ends(';TZID=Europe/Berlin:20300330T120000', 'PT24H')).to.equal('2030-03-31T11:00:00Z');
  });

  it('names the field, the line and the fix of each error, and still reads the other events', () => {
    const { rows } = read(
      calendar(
        ...vevent('SUMMARY:No start'),
        ...vevent('SUMMARY:No such day', 'DTSTART:20300230T100000Z'),
        ...vevent('SUMMARY:No such zone', 'DTSTART;TZID=Mars/Olympus:20300301T100000'),
        ...vevent('SUMMARY:Hourly', 'DTSTART:20300301T100000Z', 'RRULE:FREQ=HOURLY'),
        ...vevent('SUMMARY:Broken', 'DTSTART:20300301T100000Z', 'not a property'),
        ...vevent('SUMMARY:Right', 'DTSTART:20300301T100000Z'),
        'BEGIN:VEVENT',
        'SUMMARY:Never ended',
        'DTSTART:20300301T100000Z',
      ),
    );
    const wrong = rows.map(({ errors }) => errors.map(({ field, line }) => `${field} ${line}`).join());
    expect(wrong).to.deep.equal([
      'starts_at 4',
      'starts_at 11',
      'starts_at 16',
      'recurring 22',
      'null 28',
      '',
      'null 35',
    ]);
    expect(rows[2]?.errors[0]?.detail).to.match(/unknown time zone "Mars\/Olympus"/);
  });

  it('never expands a recurrence rule, and reports a rule that has more detail than the stored word', () => {
    const rules = ['DAILY', 'WEEKLY;BYDAY=MO,TU', 'MONTHLY;INTERVAL=2', 'YEARLY;COUNT=999999999;BYMONTH=3'];
    const events = rules.flatMap((rule) =>
      vevent('SUMMARY:x', 'DTSTART:20300301T100000Z', `RRULE:FREQ=${rule}`),
    );
    const { rows, simplified } = read(calendar(...events));
    expect(rows.map(({ event }) => event.recurring)).to.deep.equal(['daily', 'weekly', 'monthly', 'yearly']);
    expect(simplified).to.deep.equal([2, 3, 4]);
  });

  it('reads a cancelled event as a cancel, and leaves out cancelled or repeated days of a series', () => {
    const series = ['SUMMARY:Class', 'DTSTART:20300301T100000Z'];
    const { rows, leftOut } = read(
      calendar(
        ...vevent(...series, 'RRULE:FREQ=WEEKLY'),
        ...vevent(...series, 'RECURRENCE-ID:20300301T100000Z'),
        ...vevent(...series, 'RECURRENCE-ID:20300301T100000Z', 'STATUS:CANCELLED'),
        ...vevent('SUMMARY:Moved', 'DTSTART:20300309T100000Z', 'RECURRENCE-ID:20300308T100000Z'),
        ...vevent('SUMMARY:Off', 'DTSTART:20300301T100000Z', 'STATUS:CANCELLED'),
      ),
    );
    expect(rows.map(({ row, action }) => `${row} ${action}`)).to.deep.equal([
      '1 upsert',
      '4 upsert',
      '5 cancel',
    ]);
    expect(leftOut).to.deep.equal([2, 3]);
    const all = calendar('METHOD:CANCEL', ...vevent(...series));
    expect(read(all).rows[0]?.action).to.equal('cancel');
  });

  it('reads several calendars of a file in order, each with its own zones', () => {
    const one = (zone: string) =>
      calendar(`X-WR-TIMEZONE:${zone}`, ...vevent('SUMMARY:x', 'DTSTART:20300701T100000'));
    const { rows } = read(one('Europe/Berlin') + one('America/New_York'));
    expect(rows.map(({ row, event }) => `${row} ${event.starts_at}`)).to.deep.equal([
      '1 2030-07-01T08:00:00Z',
      '2 2030-07-01T14:00:00Z',
    ]);
  });

  it('accepts every line end, and a fold in the middle of a character', () => {
    const text = calendar(...vevent('SUMMARY:Müsli', 'DTSTART:20300701T100000Z', 'LOCATION:here'));
    for (const end of ['\r\n', '\n', '\r'])
      expect(read(text.replaceAll('\r\n', end)).rows[0]?.event.title).to.equal('Müsli');
    const bytes = Buffer.from(text);
    const middle = bytes.indexOf('ü') + 1;
    const folded = Buffer.concat([bytes.subarray(0, middle), Buffer.from('\r\n '), bytes.subarray(middle)]);
    const [row] = read(decodeCalendar(folded) as string).rows;
    expect(row?.event.title).to.equal('Müsli');
    expect(row?.lines.location).to.equal(9);
    expect(decodeCalendar(Buffer.from('SUMMARY:M\xfcsli', 'latin1'))).to.equal(undefined);
  });

  it('refuses a text that is not a calendar, or that is nested too deeply', () => {
    expect(readCalendar('title,starts_at').outcome).to.equal('refused');
    expect(readCalendar(`BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\n'.repeat(100_000)}`).outcome).to.equal(
      'refused',
    );
    expect(readCalendar('\n'.repeat(1_000_000)).outcome).to.equal('refused');
  });

  it('refuses a file with too many events before it reads any', () => {
    const text = calendar(...Array.from({ length: 3 }, () => vevent('SUMMARY:x')).flat());
    expect(readCalendar(text, { maxEvents: 3 }).outcome).to.equal('read');
    const refused = readCalendar(text, { maxEvents: 2 });
    expect(refused).to.have.property(
      'detail',
      'The file has 3 events; at most 2 are imported at once. Split it.',
    );
  });

  it('rejects a zone with more changes than any real zone has', () => {
    const change = ['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0000', 'TZOFFSETTO:+0100'];
    const zoneWith = (dates: number) => [
      ...['BEGIN:VTIMEZONE', 'TZID:Mine', ...change],
      `RDATE:${Array.from({ length: dates }, () => '20000101T000000').join()}`,
      ...['END:STANDARD', 'END:VTIMEZONE'],
    ];
    const start = 'DTSTART;TZID=Mine:20300701T100000';
    expect(startOf(start, ...zoneWith(100))).to.equal('2030-07-01T09:00:00Z');
    expect(startOf(start, ...zoneWith(1000))).to.equal(undefined);
  });

  it('never throws, and gives every event a start or an error', () => {
    const word = fc.constantFrom(
      'BEGIN:',
      'END:',
      'VEVENT',
      'VCALENDAR',
      'VTIMEZONE',
      'STANDARD',
      '\r\n',
      ' ',
      ':',
      ';',
      '"',
    );
    const property = fc.constantFrom(
      'DTSTART:',
      'DTSTART;TZID=',
      'RRULE:',
      'RDATE:',
      'DURATION:P',
      'SUMMARY:',
      'TZOFFSETTO:',
    );
    const noise = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom('20300101', 'T100000Z', 'FREQ=YEARLY', '9'.repeat(20)),
    );
    const text = fc.array(fc.oneof(word, property, noise), { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (inside) => {
        const result = readCalendar(calendar('BEGIN:VEVENT', inside));
        if (result.outcome === 'refused') return;
        for (const { event, errors } of result.rows)
          expect(event.starts_at !== undefined || errors.length > 0).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });
});
