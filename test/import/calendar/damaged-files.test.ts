import { readCalendar } from '@sluice/import/calendar/read-calendar';
import { expect } from 'chai';
import fc from 'fast-check';
import { calendar, only, read, vevent } from './support.ts';

const event = (title: string) => vevent(`SUMMARY:${title}`, 'DTSTART:20270901T180000Z');
const without = (lines: string[], line: string) => lines.filter((one) => one !== line);

/** Each event of a text: its title, and whether it can be imported. */
function titles(text: string): string[] {
  return read(text).rows.map(
    ({ event: { title }, errors }) => `${title}${errors.length > 0 ? ' (bad)' : ''}`,
  );
}

describe('icalendar: files that are cut off, joined or wrongly nested', () => {
  it('begins an event at each BEGIN:VEVENT, and names the one before it that has no END', () => {
    const text = calendar(...event('One'), ...without(event('Two'), 'END:VEVENT'), ...event('Three'));
    expect(titles(text)).to.deep.equal(['One', 'Two (bad)', 'Three']);
    expect(read(text).rows[1]?.errors[0]?.detail).to.equal('Line 9 begins a VEVENT that has no END:VEVENT.');
  });

  for (const [what, inner] of [
    ['an alarm', ['BEGIN:VALARM', 'ACTION:DISPLAY']],
    ['a time zone', ['BEGIN:VTIMEZONE', 'BEGIN:STANDARD']],
    ['a to-do', ['BEGIN:VTODO', 'SUMMARY:To do']],
  ] as const) {
    it(`does not lose the event after ${what} without its END`, () => {
      expect(titles(calendar(...inner, ...event('One'), ...event('Two')))).to.deep.equal(['One', 'Two']);
    });
  }

  it('reads files that were joined without their ends, or without a line end between them', () => {
    const [one, two] = [calendar(...event('One')), calendar(...event('Two'))];
    const cut = one.slice(0, one.indexOf('END:VEVENT'));
    expect(titles(cut + two)).to.deep.equal(['One (bad)', 'Two']);
    expect(titles(one.trimEnd() + two)).to.deep.equal(['One', 'Two']);
  });

  it('reads events before, after and without a calendar around them', () => {
    const lines = (...some: string[]) => `${some.join('\r\n')}\r\n`;
    expect(titles(lines(...event('Alone')))).to.deep.equal(['Alone']);
    expect(titles(calendar(...event('One')) + lines(...event('After')))).to.deep.equal(['One', 'After']);
    expect(titles(lines(...event('Before')) + calendar(...event('One')))).to.deep.equal(['Before', 'One']);
  });

  it('notes a file that may be cut off', () => {
    const whole = calendar(...event('One'), ...event('Two'));
    const isCutOff = (text: string) => {
      const { cutOff, notes } = read(text);
      expect(notes.join().includes('may be cut off')).to.equal(cutOff);
      return cutOff;
    };
    expect(isCutOff(whole)).to.equal(false);
    expect(isCutOff(whole.slice(0, whole.indexOf('END:VCALENDAR')))).to.equal(true);
    expect(isCutOff(whole.slice(0, whole.indexOf('SUMMARY:Two')))).to.equal(true);
    expect(isCutOff(whole.slice(0, whole.indexOf('END:VCALENDAR')) + whole)).to.equal(true);
    expect(isCutOff(whole.trimEnd() + whole)).to.equal(false);
    expect(isCutOff(event('Alone').join('\r\n'))).to.equal(false);
  });

  it('names the event whose END is misspelt', () => {
    const text = calendar(
      ...event('One').map((line) => line.replace('END:VEVENT', 'END:VEVNT')),
      ...event('Two'),
    );
    expect(titles(text)).to.deep.equal(['One (bad)', 'Two']);
  });

  it('never loses a BEGIN:VEVENT, whatever a slip does to the file', () => {
    const file = [
      'BEGIN:VCALENDAR',
      'BEGIN:VTIMEZONE',
      'TZID:Office',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'END:VTIMEZONE',
      ...vevent('SUMMARY:One', 'DTSTART;TZID=Office:20270901T180000', 'DESCRIPTION:a\\nb', ' c'),
      ...vevent('SUMMARY;ENCODING=QUOTED-PRINTABLE:M=C3=BC=', 'll', 'DTSTART:20270901T180000Z'),
      ...vevent('SUMMARY:Three', 'DTSTART:20270901', 'BEGIN:VALARM', 'TRIGGER:-PT5M', 'END:VALARM'),
      'END:VCALENDAR',
    ];
    const slip = fc.oneof(
      fc.record({ kind: fc.constant('drop' as const), at: fc.nat(file.length - 1) }),
      fc.record({ kind: fc.constant('repeat' as const), at: fc.nat(file.length - 1) }),
      fc.record({
        kind: fc.constant('move' as const),
        at: fc.nat(file.length - 1),
        to: fc.nat(file.length - 1),
      }),
      fc.record({ kind: fc.constant('cut' as const), at: fc.nat(file.length - 1), length: fc.nat(12) }),
      fc.record({
        kind: fc.constant('insert' as const),
        at: fc.nat(file.length - 1),
        text: fc.string({ maxLength: 8 }),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(slip, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('\r\n', '\n', '\r\r\n', '\n\n'),
        (slips, end) => {
          const lines = [...file];
          for (const one of slips) {
            const [line = ''] = lines.splice(one.at, 1);
            if (one.kind === 'repeat') lines.splice(one.at, 0, line, line);
            if (one.kind === 'move') lines.splice(one.to, 0, line);
            if (one.kind === 'cut') lines.splice(one.at, 0, line.slice(0, one.length));
            if (one.kind === 'insert') lines.splice(one.at, 0, line + one.text);
          }
          const begun = lines.filter((line) => line === 'BEGIN:VEVENT').length;
          const result = readCalendar(lines.join(end));
          if (result.outcome === 'refused') expect(begun).to.equal(0);
          else expect(result.rows.length + result.leftOut.length).to.be.at.least(begun);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('icalendar: lines that break the grammar', () => {
  for (const line of [
    'ATTENDEE;CN="Ada "the first" L":mailto:a@example.org',
    'X-APPLE-RADIUS=49.91',
    'ORGANIZER="mailto:o@example.org"',
    'ATTENDEE;RSVP:mailto:j@example.org',
    'X_ODD_NAME:abc',
    'item1.X-FOO:bar',
    '-----',
    '<b>not a property</b>',
  ]) {
    it(`passes over ${line}, of which nothing is kept`, () => {
      const row = only('SUMMARY:Circle', line, 'DTSTART:20270901T180000Z', 'LOCATION:Hall');
      expect(row).to.deep.include({ errors: [], notes: [] });
      expect(row.event).to.include({ title: 'Circle', starts_at: '2027-09-01T18:00:00Z', location: 'Hall' });
    });
  }

  it('passes over an optional field that cannot be read, with a note', () => {
    const row = only('SUMMARY:Circle', 'DTSTART:20270901T180000Z', 'DTEND 20270901T190000Z');
    expect(row.errors).to.deep.equal([]);
    expect(row.notes.join()).to.match(/^Line 8 has no colon.*It was passed over/);
  });

  it('rejects an event whose location cannot be read, because it would be another event', () => {
    expect(only('SUMMARY:Circle', 'DTSTART:20270901T180000Z', 'LOCATION Hall').errors).to.have.length(1);
  });

  it('continues a description whose line breaks are not escaped, but takes no property for text', () => {
    const row = only(
      'SUMMARY:Circle',
      'DESCRIPTION:First',
      'Location: see below',
      'second line',
      'LOCATION:Hall',
      'DTSTART:20270901T180000Z',
    );
    expect(row.event).to.include({
      description: 'First\nLocation: see below\nsecond line',
      location: 'Hall',
    });
  });

  it('takes no line of a description for the beginning or end of a component', () => {
    const row = only(
      'SUMMARY:Circle',
      'DESCRIPTION:First',
      'Begin: 7 pm',
      'End: 9 pm',
      'BEGIN: 7 PM',
      'DTSTART:20270901T180000Z',
    );
    expect(row.errors).to.deep.equal([]);
    expect(row.event.description).to.equal('First\nBegin: 7 pm\nEnd: 9 pm\nBEGIN: 7 PM');
  });

  for (const line of ['BEGIN: 7PM', 'BEGIN:7PM', 'Begin: now', 'End: NEVER'])
    it(`keeps "${line}" in a broken description, and the properties after it in the event`, () => {
      const row = only('SUMMARY:Circle', 'DESCRIPTION:First', line, 'DTSTART:20270901T180000Z');
      expect(row.errors).to.deep.equal([]);
      expect(row.event.description).to.equal(`First\n${line}`);
    });

  it('keeps the lines of a component whose name has an underscore out of the event', () => {
    const row = only(
      ...['SUMMARY:Circle', 'BEGIN:X_FOO', 'LOCATION:elsewhere', 'END:X_FOO'],
      'DTSTART:20270901T180000Z',
    );
    expect(row.errors).to.deep.equal([]);
    expect(row.event.location).to.equal(undefined);
  });

  for (const name of ['x-foo', 'X-Foo', 'X-FOO'])
    it(`keeps the lines of the component ${name} out of the event`, () => {
      const row = only(
        ...['SUMMARY:Circle', `begin:${name}`, 'LOCATION:elsewhere', `end:${name}`],
        'DTSTART:20270901T180000Z',
      );
      expect(row.event).to.deep.include({ title: 'Circle' });
      expect(row.event.location).to.equal(undefined);
    });

  it('reads a description of very many lines within seconds, folded or not', function () {
    this.timeout(30_000);
    for (const line of [' a', 'a', 'a=']) {
      const lines = Array.from({ length: 50_000 }, () => line).join('\r\n');
      const name = line === 'a=' ? 'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:' : 'DESCRIPTION:';
      const row = only('SUMMARY:x', 'DTSTART:20270901T180000Z', name, lines);
      expect(row.event.description?.length).to.be.within(50_000, 100_000);
    }
  });

  it('continues a line after an empty one', () => {
    expect(only('SUMMARY:Lantern', '', '  walk', 'DTSTART:20270901T180000Z').event.title).to.equal(
      'Lantern walk',
    );
  });

  it('reads a file that was written in text mode twice', () => {
    const text = calendar(...vevent('SUMMARY:Long', '  evening', 'DTSTART:20270901T180000Z'));
    for (const end of ['\r\r\n', '\n\n', '\r\n\r\n'])
      expect(read(text.replaceAll('\r\n', end)).rows[0]?.event.title, JSON.stringify(end)).to.equal(
        'Long evening',
      );
  });
});
