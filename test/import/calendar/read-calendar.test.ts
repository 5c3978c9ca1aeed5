import { decodeCalendar } from '@sluice/import/calendar/decode-calendar';
import { readCalendar } from '@sluice/import/calendar/read-calendar';
import { expect } from 'chai';
import fc from 'fast-check';
import { calendar, only, read, vevent } from './support.ts';

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

  it('names the field, the line and the fix of each error, and still reads the other events', () => {
    const { rows } = read(
      calendar(
        ...vevent('SUMMARY:No start'),
        ...vevent('SUMMARY:No such day', 'DTSTART:20300230T100000Z'),
        ...vevent('SUMMARY:No such zone', 'DTSTART;TZID=Mars/Olympus:20300301T100000'),
        ...vevent('SUMMARY:No zone of a VTIMEZONE', 'DTSTART;TZID=Hall 7:20300301T100000'),
        ...vevent('SUMMARY:Broken', 'DTSTART:20300301T100000Z', 'LOCATION no colon'),
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
      'starts_at 21',
      'null 27',
      '',
      'null 34',
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
    expect(leftOut.map(({ row }) => row)).to.deep.equal([2, 3]);
    const all = calendar('METHOD:CANCEL', ...vevent(...series));
    expect(read(all).rows[0]?.action).to.equal('cancel');
  });

  it('compares a day with its series by what is stored: an empty location is none', () => {
    const { leftOut } = read(
      calendar(
        ...vevent('SUMMARY:Caf\u00e9', 'DTSTART:20300301T100000Z', 'RRULE:FREQ=WEEKLY'),
        ...vevent(
          ...['SUMMARY:Cafe\u0301', 'DTSTART:20300301T100000Z', 'LOCATION:'],
          ...['RECURRENCE-ID:20300301T100000Z', 'STATUS:CANCELLED'],
        ),
      ),
    );
    expect(leftOut.map(({ row }) => row)).to.deep.equal([2]);
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
    const [row] = read(decodeCalendar(folded).text).rows;
    expect(row?.event.title).to.equal('Müsli');
    expect(row?.lines.location).to.equal(9);
  });

  it('refuses a text that is not a calendar, or that is nested too deeply', () => {
    expect(readCalendar('title,starts_at').outcome).to.equal('refused');
    expect(readCalendar(`BEGIN:VCALENDAR\r\n${'BEGIN:VALARM\r\n'.repeat(100_000)}`).outcome).to.equal(
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

  it('takes the highest SEQUENCE of several versions of an event, in any order', () => {
    const version = (sequence: number, start: string, ...others: string[]) =>
      vevent('SUMMARY:Board', `DTSTART:${start}`, `SEQUENCE:${sequence}`, ...others);
    const [high, low] = [version(3, '20270901T180000Z'), version(1, '20270901T160000Z')];
    for (const lines of [
      [...high, ...low],
      [...low, ...high],
    ]) {
      const { rows, leftOut } = read(calendar(...lines));
      expect(rows.map(({ event }) => event.starts_at)).to.deep.equal(['2027-09-01T18:00:00Z']);
      expect(leftOut[0]?.notes.join()).to.match(/newer version of this event \(SEQUENCE 3, here 1\)/);
    }
    const day = 'RECURRENCE-ID:20270913T180000Z';
    const series = version(0, '20270906T180000Z', 'RRULE:FREQ=WEEKLY');
    const days = [...version(2, '20270914T190000Z', day), ...version(1, '20270914T170000Z', day)];
    expect(read(calendar(...series, ...days)).rows).to.have.length(2);
  });

  it('keeps all events of one UID with the same SEQUENCE, and those that a bad version would replace', () => {
    const one = vevent('SUMMARY:a', 'DTSTART:20270901T180000Z', 'SEQUENCE:1');
    const two = vevent('SUMMARY:b', 'DTSTART:20270902T180000Z', 'SEQUENCE:1');
    const bad = vevent('SUMMARY:c', 'SEQUENCE:2');
    expect(read(calendar(...one, ...two, ...bad)).rows).to.have.length(3);
  });
});
