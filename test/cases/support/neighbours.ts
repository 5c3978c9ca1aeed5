/** A file, and the events that it has: title, start and end in UTC, to the minute. */
export interface Neighbour {
  readonly about: string;
  readonly name: string;
  readonly bytes: string | Uint8Array;
  readonly zone?: string;
  readonly events: readonly (readonly string[])[];
  readonly bad?: number;
  /** Words of notes or errors. */
  readonly notes?: readonly string[];
}

const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n`;
const calendar = (...all: readonly string[]) =>
  lines('BEGIN:VCALENDAR', 'VERSION:2.0', ...all, 'END:VCALENDAR');
const event = (title: string, ...all: readonly string[]) => [
  ...['BEGIN:VEVENT', `UID:${title}@example.com`, `SUMMARY:${title}`, ...all, 'END:VEVENT'],
];
const fixed = (tzid: string, ...all: readonly string[]) => [
  ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, 'BEGIN:STANDARD', ...all, 'END:STANDARD', 'END:VTIMEZONE'],
];
const ical = (
  about: string,
  bytes: string,
  rest: Omit<Neighbour, 'about' | 'name' | 'bytes'>,
): Neighbour => ({
  ...{ about, name: 'file.ics', bytes },
  ...rest,
});
const csv = (about: string, bytes: string, rest: Omit<Neighbour, 'about' | 'name' | 'bytes'>): Neighbour => ({
  ...{ about, name: 'file.csv', bytes },
  ...rest,
});

export const NEIGHBOURS: readonly Neighbour[] = [
  ical(
    'reads a zone by its own description, which has no summer time, though its name is New York',
    calendar(
      ...fixed('America/New_York', 'DTSTART:19700101T000000', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0500'),
      ...event('Lunch', 'DTSTART;TZID=America/New_York:20270706T100000'),
    ),
    { events: [['Lunch', '2027-07-06T15:00']] },
  ),
  ical(
    'does not take the ids PNT and MIT of ICU for zones',
    calendar(
      ...event('One', 'DTSTART;TZID=PNT:20270706T100000'),
      ...event('Two', 'DTSTART;TZID=MIT:20270706T100000'),
    ),
    { events: [], bad: 2, notes: ['unknown time zone'] },
  ),
  ical(
    'names the zone of a calendar that nobody knows, and reads its times in UTC',
    calendar('X-WR-TIMEZONE:Mars/Olympus', ...event('Dig', 'DTSTART:20270706T100000')),
    { events: [['Dig', '2027-07-06T10:00']], notes: ['mars/olympus'] },
  ),
  ical(
    'reads a zone of the calendar in lower case, with blanks around it',
    calendar('X-WR-TIMEZONE: europe/paris ', ...event('Bal', 'DTSTART:20270714T220000')),
    { events: [['Bal', '2027-07-14T20:00']] },
  ),
  ical(
    'reads quoted Windows names, the prefix of another program, and offsets as names',
    calendar(
      ...event('Windows', 'DTSTART;TZID="New Zealand Standard Time":20270706T100000'),
      ...event('Prefix', 'DTSTART;TZID=/freeassociation.sourceforge.net/Asia/Kolkata:20270706T100000'),
      ...event('Offset', 'DTSTART;TZID="UTC-03:00":20270706T100000'),
    ),
    {
      events: [
        ['Windows', '2027-07-05T22:00'],
        ['Prefix', '2027-07-06T04:30'],
        ['Offset', '2027-07-06T13:00'],
      ],
    },
  ),
  ical(
    'reads a zone whose description begins in year 1, has a colon in its offset and no TZOFFSETFROM',
    calendar(
      ...fixed('Our outback', 'DTSTART:00010101T000000', 'TZOFFSETTO:+09:30'),
      ...event('Trek', 'DTSTART;TZID=our OUTBACK:20270706T100000'),
    ),
    { events: [['Trek', '2027-07-06T00:30']] },
  ),
  ical(
    'names an event whose END is misspelt, and loses none to two calendars on one line',
    lines(
      ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:One', 'DTSTART:20270706T100000Z', 'END:EVENT'],
      ...event('Two', 'DTSTART:20270707T100000Z'),
      'END:VCALENDARBEGIN:VCALENDAR',
      ...event('Three', 'DTSTART:20270708T100000Z'),
      'END:VCALENDAR',
    ),
    {
      events: [
        ['Two', '2027-07-07T10:00'],
        ['Three', '2027-07-08T10:00'],
      ],
      bad: 1,
      notes: ['line 2 begins a vevent that has no end'],
    },
  ),
  ical(
    'reads an event whose optional lines are all broken',
    calendar(
      ...event(
        'Fair',
        'DTSTART:20270706T100000Z',
        'DTEND:null',
        'RRULE:',
        'ATTENDEE;CN="Ada;ROLE=:mailto',
        'X-WR no colon',
        'URL:tel:+4930901820',
        'GEO:;',
      ),
    ),
    { events: [['Fair', '2027-07-06T10:00']] },
  ),
  ical(
    'reads durations of weeks, and leaves out an end before its start',
    calendar(
      ...event('Camp', 'DTSTART:20270706T100000Z', 'DURATION:P1W'),
      ...event('Back', 'DTSTART:20270706T100000Z', 'DTEND:20270705T100000Z'),
      ...event('Minus', 'DTSTART:20270706T100000Z', 'DURATION:-P1D'),
    ),
    {
      events: [
        ['Camp', '2027-07-06T10:00', '2027-07-13T10:00'],
        ['Back', '2027-07-06T10:00'],
        ['Minus', '2027-07-06T10:00'],
      ],
      notes: ['before dtstart'],
    },
  ),
  ical(
    'reads a day whose end is a time, and a time whose end has no zone',
    calendar(
      ...event('Day', 'DTSTART;VALUE=DATE:20270706', 'DTEND:20270706T180000Z'),
      ...event('Eve', 'DTSTART;TZID=Europe/Athens:20270706T180000', 'DTEND:20270706T200000'),
    ),
    {
      events: [
        ['Day', '2027-07-06T00:00', '2027-07-06T18:00'],
        ['Eve', '2027-07-06T15:00', '2027-07-06T17:00'],
      ],
    },
  ),
  ical(
    'reads vCalendar 1.0 of New York: its summer, and soft line breaks of QUOTED-PRINTABLE',
    lines(
      ...['BEGIN:VCALENDAR', 'VERSION:1.0', 'TZ:-05'],
      'DAYLIGHT:TRUE;-04;20270314T020000;20271107T020000;EST;EDT',
      ...['BEGIN:VEVENT', 'SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:K=C3=A4se=', 'fest'],
      ...['DTSTART:20270706T100000', 'END:VEVENT', 'END:VCALENDAR'],
    ),
    { events: [['Käsefest', '2027-07-06T14:00']] },
  ),
  ical(
    'reads texts with raw line breaks, blank lines in a fold and a lone CR',
    calendar(
      ...event(
        'Notes',
        'DTSTART:20270706T100000Z',
        'DESCRIPTION:First',
        'second: line',
        ' ',
        '',
        ' and third',
      ),
      ...event('Return', 'DESCRIPTION:One\rTwo', 'DTSTART:20270707T100000Z'),
    ),
    {
      events: [
        ['Notes', '2027-07-06T10:00'],
        ['Return', '2027-07-07T10:00'],
      ],
    },
  ),
  csv(
    'reads a file with sep=|, a title above the head and mixed line ends, and never shifts a row that is too long',
    'sep=|\nSpring programme\r\ntitle|starts_at|location\rOne|2027-07-06T10:00:00Z|Hall\nTwo|2027-07-07T10:00:00Z|Hall|more\r\n',
    { events: [['One', '2027-07-06T10:00']], bad: 1 },
  ),
  csv(
    'reads the columns of Outlook with the month first and a clock of twelve hours',
    lines(
      '"Subject","Start Date","Start Time","End Date","End Time","All day event","Location"',
      '"Choir","6/7/2027","2:30:00 PM","6/7/2027","4:00:00 PM","False","Hall"',
    ),
    { zone: 'Europe/Lisbon', events: [['Choir', '2027-06-07T13:30', '2027-06-07T15:00']] },
  ),
  csv(
    'reads years of two digits, and loses one row to a stray quote',
    lines(
      'title,starts_at,location',
      'New Year,31.12.27 18:00,Hall',
      '"Stray" quote,1.1.28 18:00,Hall',
      'Day,2.1.28 18:00,Hall',
    ),
    {
      zone: 'Europe/Vienna',
      events: [
        ['New Year', '2027-12-31T17:00'],
        ['Day', '2028-01-02T17:00'],
      ],
      bad: 1,
    },
  ),
  {
    about: 'reads a file in UTF-16 with a byte order mark, as spreadsheets save text',
    name: 'file.csv',
    bytes: Buffer.from('\uFEFFtitle\tstarts_at\r\nÜbung\t2027-07-06 10:00\r\n', 'utf16le'),
    zone: 'America/St_Johns',
    events: [['Übung', '2027-07-06T12:30']],
  },
];
