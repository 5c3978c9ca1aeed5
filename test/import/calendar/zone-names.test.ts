import { expect } from 'chai';
import { calendar, read, startOf, vevent } from './support.ts';

/** A zone that is three and a half hours behind UTC all year. */
const described = (tzid: string): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:-0330',
  'TZOFFSETTO:-0330',
  'END:STANDARD',
  'END:VTIMEZONE',
];

describe('icalendar: names of time zones', () => {
  for (const name of ['GMT', 'EST', 'NST', 'Europe/Berlin', 'W. Europe Standard Time', 'UTC+5']) {
    it(`lets the VTIMEZONE of the calendar decide what "${name}" means`, () => {
      expect(startOf(`DTSTART;TZID=${name}:20270701T100000`, ...described(name))).to.equal(
        '2027-07-01T13:30:00Z',
      );
    });
  }

  it('lets the platform decide what a name with a leading slash means', () => {
    const name = '/example.org/2027/Europe/Berlin';
    expect(startOf(`DTSTART;TZID=${name}:20270701T100000`, ...described(name))).to.equal(
      '2027-07-01T08:00:00Z',
    );
  });

  for (const [parameter, property] of [
    ['"Hall 1, north"', 'Hall 1\\, north'],
    ['"Hall; north"', 'Hall\\; north'],
    ['hall 1', 'Hall 1'],
    ['"Hall 1 "', ' Hall  1'],
    ['Hall\\1', 'Hall\\\\1'],
    ['Hall 1', '"Hall 1"'],
    ['Hall 1 : north, east', 'Hall 1 : north\\, east'],
  ] as const) {
    it(`finds the VTIMEZONE ${property} by the parameter ${parameter}`, () => {
      expect(startOf(`DTSTART;TZID=${parameter}:20270701T100000`, ...described(property))).to.equal(
        '2027-07-01T13:30:00Z',
      );
    });
  }

  for (const [name, instant] of [
    ['europe/berlin', '08:00'],
    [' Europe/Berlin ', '08:00'],
    ['America/New York', '14:00'],
    ['US/Eastern', '14:00'],
    ['/freeassociation.sourceforge.net/Tzfile/Europe/Berlin', '08:00'],
    ['/example.org/2027/America/Argentina/Salta', '13:00'],
    ['\\/example.org\\/2027\\/Europe\\/Berlin', '08:00'],
    ['/example.org/2027/Tokyo Standard Time', '01:00'],
    ['"/example.org/(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rome\\, Stockholm\\, Vienna"', '08:00'],
    ['/example.org/UTC', '10:00'],
    ['"^\'Europe/Berlin^\'"', '08:00'],
    ['Eastern Standard Time 1', '14:00'],
    ['"(GMT+01.00) Amsterdam / Berlin / Bern / Rome / Stockholm / Vienna"', '08:00'],
    ['Tokyo Standard Time', '01:00'],
    ['pacific standard time', '17:00'],
    ['"(UTC+09:00) Osaka, Sapporo, Tokyo"', '01:00'],
    ['"(GMT-08:00) Pacific Time (US & Canada)"', '17:00'],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', '08:00'],
    ['"(UTC) Dublin, Edinburgh, Lisbon, London"', '09:00'],
    ['UTC', '10:00'],
    ['Z', '10:00'],
    ['"+02:00"', '08:00'],
    ['-0330', '13:30'],
    ['"UTC-05:00"', '15:00'],
    ['UTC-05:00', '15:00'],
    ['GMT+1', '09:00'],
    ['"(UTC+05:45)"', '04:15'],
    // IANA counts these the other way round.
    ['Etc/GMT+1', '11:00'],
  ] as const) {
    it(`knows ${name} without a VTIMEZONE`, () => {
      expect(startOf(`DTSTART;TZID=${name}:20270701T100000`)).to.equal(`2027-07-01T${instant}:00Z`);
    });
  }

  for (const name of [
    'NST',
    'PST',
    'ist',
    'BST',
    'PNT',
    'MIT',
    'Building 7',
    'Hall/EST',
    '"(UTC+01:00) Hall"',
    'UTC+25',
  ]) {
    it(`knows no zone ${name}, because a wrong hour is worse than none`, () => {
      const [row] = read(calendar(...vevent('SUMMARY:x', `DTSTART;TZID=${name}:20270701T100000`))).rows;
      expect(row?.errors[0]?.detail).to.match(/unknown time zone/);
    });
  }

  it('reads X-WR-TIMEZONE by the same names, and notes one that is unknown', () => {
    const floating = (zone: string) =>
      read(calendar(`X-WR-TIMEZONE:${zone}`, ...vevent('SUMMARY:x', 'DTSTART:20270701T100000')));
    expect(floating('W. Europe Standard Time').rows[0]?.event.starts_at).to.equal('2027-07-01T08:00:00Z');
    const unknown = floating('PST');
    expect(unknown.rows[0]?.event.starts_at).to.equal('2027-07-01T10:00:00Z');
    expect(unknown.notes.join()).to.match(
      /time zone "PST" is unknown\. Times without a zone were read in UTC/,
    );
  });

  it('reads an X-WR-TIMEZONE that only the calendar describes', () => {
    const { rows, notes, withoutZone } = read(
      calendar(
        'X-WR-TIMEZONE:Our office',
        ...['BEGIN:VTIMEZONE', 'TZID:Our office', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
        ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0200', 'END:STANDARD', 'END:VTIMEZONE'],
        ...vevent('SUMMARY:x', 'DTSTART:20270701T100000'),
      ),
    );
    expect(rows[0]?.event.starts_at).to.equal('2027-07-01T08:00:00Z');
    expect(notes).to.deep.equal([]);
    // No default zone is used, so the form does not ask for one.
    expect(withoutZone).to.equal(0);
  });

  it('does not note an unknown X-WR-TIMEZONE if every time names its zone', () => {
    const { notes } = read(calendar('X-WR-TIMEZONE:PST', ...vevent('SUMMARY:x', 'DTSTART:20270701T100000Z')));
    expect(notes).to.deep.equal([]);
  });

  it('reads the zone of vCalendar 1.0 wherever it stands, and rejects years that it does not describe', () => {
    const zone = ['TZ:-05', 'DAYLIGHT:TRUE;-04;20270314T020000;20271107T020000;EST;EDT'];
    const starts = ['20270701T100000', '20271201T100000', '20280701T100000'].flatMap((at) =>
      vevent('SUMMARY:x', `DTSTART:${at}`),
    );
    const { rows } = read(calendar(...starts, ...zone));
    expect(rows.map(({ event }) => event.starts_at)).to.deep.equal([
      '2027-07-01T14:00:00Z',
      '2027-12-01T15:00:00Z',
      undefined,
    ]);
  });
});
