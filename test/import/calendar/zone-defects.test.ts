import { expect } from 'chai';
import { startOf } from './support.ts';

/** Summer time of a zone that is one hour ahead of UTC, with this defect in the line that begins its winters. */
const withDefect = (...winter: string[]): string[] => [
  'BEGIN:VTIMEZONE',
  'TZID:Office',
  'BEGIN:STANDARD',
  ...winter,
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:20100328T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];
const OCTOBER = 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU';

describe('icalendar: a defect of a VTIMEZONE that cannot matter', () => {
  for (const [what, ...winter] of [
    [
      'a first change in the year 1',
      'DTSTART:00011028T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      OCTOBER,
    ],
    [
      'a first change in the year 99',
      'DTSTART:00991028T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      OCTOBER,
    ],
    ['no TZOFFSETFROM', 'DTSTART:20101031T030000', 'TZOFFSETTO:+0100', OCTOBER],
    ['offsets with a colon', 'DTSTART:20101031T030000', 'TZOFFSETFROM:+02:00', 'TZOFFSETTO:+01:00', OCTOBER],
    [
      'offsets without minutes or sign',
      'DTSTART:20101031T030000',
      'TZOFFSETFROM:0200',
      'TZOFFSETTO:+01',
      OCTOBER,
    ],
    [
      'a count that lasts',
      'DTSTART:20101031T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      `${OCTOBER};COUNT=90`,
    ],
    [
      'a weekday by its place',
      'DTSTART:20101031T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=SU;BYSETPOS=-1',
    ],
    [
      'a line that is no property',
      'DTSTART:20101031T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      OCTOBER,
      'X-NOTE=1',
    ],
  ] as [string, ...string[]][]) {
    it(`does not change the zone: ${what}`, () => {
      const zone = withDefect(...winter);
      expect(startOf('DTSTART;TZID=Office:20270701T100000', ...zone)).to.equal('2027-07-01T08:00:00Z');
      expect(startOf('DTSTART;TZID=Office:20271201T100000', ...zone)).to.equal('2027-12-01T09:00:00Z');
    });
  }

  it('lets the last time of a rule that ended count from then on', () => {
    const winter = [
      'DTSTART:20101031T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      `${OCTOBER};COUNT=3`,
    ];
    const ended = withDefect(...winter).map((line) =>
      line.startsWith('RRULE:FREQ=YEARLY;BYMONTH=3') ? `${line};UNTIL=20120401T000000Z` : line,
    );
    // The winter of 2012 goes on: no summer follows it.
    expect(startOf('DTSTART;TZID=Office:20120701T100000', ...ended)).to.equal('2012-07-01T08:00:00Z');
    expect(startOf('DTSTART;TZID=Office:20270701T100000', ...ended)).to.equal('2027-07-01T09:00:00Z');
  });

  it('rejects only the times that depend on a rule that cannot be evaluated', () => {
    const old = [
      'BEGIN:STANDARD',
      'DTSTART:19900101T000000',
      'TZOFFSETFROM:+0000',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYYEARDAY=-60;UNTIL=20050101T000000Z',
      'END:STANDARD',
    ];
    const zone = withDefect('DTSTART:20101031T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', OCTOBER);
    zone.splice(2, 0, ...old);
    expect(startOf('DTSTART;TZID=Office:20270701T100000', ...zone)).to.equal('2027-07-01T08:00:00Z');
    expect(startOf('DTSTART;TZID=Office:20000701T100000', ...zone)).to.equal(undefined);
  });

  for (const [kind, offset] of [
    ['STANDARD', '+0100'],
    ['DAYLIGHT', '+0200'],
  ] as const)
    it(`lets the name decide where the zone has ${kind} alone, with one of the offsets of its name`, () => {
      const zone = (tzid: string) => [
        ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, `BEGIN:${kind}`, 'DTSTART:20260101T000000'],
        ...[`TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, `END:${kind}`, 'END:VTIMEZONE'],
      ];
      for (const [date, hour] of [
        ['20270701', '08'],
        ['20271201', '09'],
      ]) {
        const at = startOf(`DTSTART;TZID=Europe/Berlin:${date}T100000`, ...zone('Europe/Berlin'));
        expect(at).to.include(`T${hour}:00`);
        const hall = startOf(`DTSTART;TZID=Hall:${date}T100000`, ...zone('Hall'));
        expect(hall).to.include(kind === 'STANDARD' ? 'T09:00' : 'T08:00');
      }
    });

  it('reads a change without DTSTART by its rule, and the only change of a zone always', () => {
    const unbegun = (...lines: string[]) =>
      withDefect('TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', ...lines).filter(
        (line) => !line.startsWith('DTSTART'),
      );
    expect(startOf('DTSTART;TZID=Office:20270701T100000', ...unbegun(OCTOBER))).to.equal(
      '2027-07-01T08:00:00Z',
    );
    expect(startOf('DTSTART;TZID=Office:20271201T100000', ...unbegun(OCTOBER))).to.equal(
      '2027-12-01T09:00:00Z',
    );
    // Nothing tells when its winters begin.
    expect(startOf('DTSTART;TZID=Office:20271201T100000', ...unbegun())).to.equal(undefined);
    const [begin, name, ...winter] = unbegun();
    const only = [begin as string, name as string, ...winter.slice(0, 4), 'END:VTIMEZONE'];
    for (const onset of [[], ['DTSTART:'], ['DTSTART:00000000T000000']]) {
      const zone = only.toSpliced(3, 0, ...onset);
      expect(startOf('DTSTART;TZID=Office:20270701T100000', ...zone)).to.equal('2027-07-01T09:00:00Z');
    }
  });
});
