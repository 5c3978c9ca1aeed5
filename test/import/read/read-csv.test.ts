import { parseInstant } from '@sluice/contract/time/instant';
import { CSV_TEMPLATE, guessMapping } from '@sluice/import/read/mapping';
import { readFile } from '@sluice/import/read/read-file';
import { expect } from 'chai';
import { csv, imported, titlesOf } from './support.ts';

describe('importing: rows of a CSV file', () => {
  for (const [what, text] of [
    [
      'CRLF after the head and LF after the rows',
      'title,starts_at\r\nOne,2027-03-01T18:00:00Z\nTwo,2027-03-02T18:00:00Z\n',
    ],
    [
      'LF after the rows that were appended',
      'title,starts_at\r\nOne,2027-03-01T18:00:00Z\r\nTwo,2027-03-02T18:00:00Z\n',
    ],
    ['LF CR', 'title,starts_at\n\rOne,2027-03-01T18:00:00Z\n\rTwo,2027-03-02T18:00:00Z\n\r'],
    ['CR alone', 'title,starts_at\rOne,2027-03-01T18:00:00Z\rTwo,2027-03-02T18:00:00Z\r'],
    ['a byte order mark', '\uFEFFtitle,starts_at\nOne,2027-03-01T18:00:00Z\nTwo,2027-03-02T18:00:00Z'],
    [
      'the separator in a line above the head',
      'sep=;\r\ntitle;starts_at\r\nOne;2027-03-01T18:00:00Z\r\nTwo;2027-03-02T18:00:00Z',
    ],
    [
      'a title above the head',
      'Events of 2027\n\ntitle,starts_at\nOne,2027-03-01T18:00:00Z\nTwo,2027-03-02T18:00:00Z',
    ],
  ] as const) {
    it(`reads ${what}`, async () => {
      const rows = await imported('a.csv', text);
      expect(rows.map(({ event }) => `${event.title} ${event.starts_at}`)).to.deep.equal([
        'One 2027-03-01T18:00:00Z',
        'Two 2027-03-02T18:00:00Z',
      ]);
    });
  }

  it('reads the template, with a zone to choose', async () => {
    const rows = await imported('events.csv', CSV_TEMPLATE, 'Europe/Berlin');
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({ notes: [], errors: [] });
    expect(rows[0]?.event).to.deep.include({
      title: 'Open evening',
      starts_at: '2027-03-01T17:00:00Z',
      ends_at: '2027-03-01T19:00:00Z',
      location: 'Town hall, Berlin',
      status: 'upcoming',
    });
    const columns = CSV_TEMPLATE.split('\r\n')[0]?.split(',') ?? [];
    expect(Object.keys(guessMapping({ format: 'csv', columns }))).to.have.members(columns);
  });

  it('reads UTF-16 as spreadsheets write it', async () => {
    const bytes = Buffer.from('\uFEFFtitle\tstarts_at\r\nMüll\t2027-03-01T18:00:00Z\r\n', 'utf16le');
    expect(titlesOf(await imported('a.csv', bytes))).to.deep.equal(['Müll']);
    expect(titlesOf(await imported('a.csv', bytes.subarray(2)))).to.deep.equal(['Müll']);
    expect(titlesOf(await imported('a.csv', bytes.subarray(2).swap16()))).to.deep.equal(['Müll']);
  });

  it('reads each line that is not UTF-8 as Windows-1252, with a note', async () => {
    const lines = ['title,starts_at', 'M\xfcllers \x96 \x80 5,2027-03-01', 'Plain,2027-03-02'];
    const bytes = Buffer.concat([
      Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1'),
      Buffer.from('Bär,2027-03-03\r\n'),
    ]);
    expect(titlesOf(await imported('a.csv', bytes))).to.deep.equal(['Müllers – € 5', 'Plain', 'Bär']);
    const read = await readFile({ name: 'a.csv', bytes });
    expect(read.outcome === 'read' && read.table.notes).to.deep.equal([
      'Line 2 is not UTF-8, and read as Windows-1252. Check the letters.',
    ]);
  });

  it('refuses a file that is no text', async () => {
    const read = await readFile({ name: 'a.csv', bytes: Buffer.from('PK\x03\x04\x00\x00\xfc', 'latin1') });
    expect(read.outcome === 'refused' && read.why).to.match(/^The file is no text/);
  });

  it('rejects a row with more cells than column names, and keeps the others', async () => {
    const rows = await csv(
      'title,starts_at,location',
      'One,2027-03-01,Hall, Berlin',
      'Two,2027-03-02,Hall,',
      'Three,2027-03-03',
    )();
    expect(titlesOf(rows)).to.deep.equal(['(bad)', 'Two', 'Three']);
    expect(rows[0]?.errors.join()).to.match(/has 4 cells, but there are 3 column names. Put quotes around/);
  });

  for (const [what, bad] of [
    ['is never closed', 'Two,2027-03-02,"Hall'],
    ['is not doubled', 'Two,2027-03-02,"the "old" hall"'],
    ['stands behind a quoted cell', 'Two,2027-03-02,"Hall" 2'],
  ] as const) {
    it(`rejects only the row with a quote that ${what}`, async () => {
      const head = 'title,starts_at,location';
      const rows = await csv(
        head,
        'One,2027-03-01,"A, B"',
        bad,
        'Three,2027-03-03,"First\nSecond"',
        'Four,2027-03-04,C',
      )();
      expect(titlesOf(rows)).to.deep.equal(['One', '(bad)', 'Three', 'Four']);
      expect(rows[2]?.event.location).to.equal('First\nSecond');
    });
  }

  it('keeps a quote in the middle of a cell', async () => {
    const rows = await csv(
      'title,starts_at,description',
      'One,2027-03-01,a 5" pipe',
      'Two,2027-03-02,"so ""called"""',
    )();
    expect(rows.map(({ event }) => event.description)).to.deep.equal(['a 5" pipe', 'so "called"']);
  });
});

describe('importing: columns of other programs', () => {
  it('reads the export of Google Calendar in the zone that was chosen', async () => {
    const rows = await csv(
      'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private',
      'Exam,05/06/2027,10:00 AM,05/06/2027,1:00 PM,False,Bring a pen,"Hall 6, campus",True',
      'Holiday,07/14/2027,,07/14/2027,,True,,,False',
      'Lunch,12/01/2027,12:15 PM,12/01/2027,12:45 PM,False,,,True',
    )('Europe/Berlin');
    expect(rows.map(({ event }) => [event.starts_at, event.ends_at])).to.deep.equal([
      ['2027-05-06T08:00:00Z', '2027-05-06T11:00:00Z'],
      ['2027-07-13T22:00:00Z', '2027-07-13T22:00:00Z'],
      ['2027-12-01T11:15:00Z', '2027-12-01T11:45:00Z'],
    ]);
    expect(rows[0]?.event).to.include({
      title: 'Exam',
      location: 'Hall 6, campus',
      description: 'Bring a pen',
    });
  });

  it('reads the export of The Events Calendar, whose rows name their zones', async () => {
    const rows = await csv(
      'EVENT NAME,EVENT START DATE,EVENT START TIME,EVENT END DATE,EVENT END TIME,ALL DAY EVENT,TIMEZONE,EVENT VENUE NAME,EVENT COST,EVENT WEBSITE',
      'Supper,2027-09-18,18:30:00,2027-09-18,21:00:00,FALSE,America/New_York,Grange hall,12,www.example.org',
      'Ball,2027-09-19,20:00:00,2027-09-19,23:00:00,FALSE,W. Europe Standard Time,Barn,,',
      'Fair,2027-09-20,,2027-09-21,,TRUE,,Barn,,',
    )('Asia/Tokyo');
    expect(rows.map(({ event }) => event.starts_at)).to.deep.equal([
      '2027-09-18T22:30:00Z',
      '2027-09-19T18:00:00Z',
      '2027-09-19T15:00:00Z',
    ]);
    expect(rows[0]?.event).to.include({
      location: 'Grange hall',
      price: '12',
      url: 'https://www.example.org',
    });
  });

  it('reads dates of databases and spreadsheets in the zone that was chosen', async () => {
    const start = async (text: string) =>
      (await csv('title,starts_at', `x,"${text}"`)('Europe/Berlin'))[0]?.event.starts_at;
    for (const [text, instant] of [
      ['2027-05-30 10:00', '2027-05-30T08:00:00Z'],
      ['2027-05-30 10:00:00', '2027-05-30T08:00:00Z'],
      ['2027-05-30T10:00:30', '2027-05-30T08:00:30Z'],
      ['2027-05-30', '2027-05-29T22:00:00Z'],
      ['30.05.2027 10:00', '2027-05-30T08:00:00Z'],
      ['30/05/2027, 10:00', '2027-05-30T08:00:00Z'],
      ['05/30/2027 10:00 pm', '2027-05-30T20:00:00Z'],
      ['2027-05-30 10:00+02:00', '2027-05-30T08:00:00Z'],
      // Blanks that do not break a line
      ['2027-05-30\u00A010:00', '2027-05-30T08:00:00Z'],
      ['2027/05/30 10:00', '2027-05-30T08:00:00Z'],
      ['2027/5/30', '2027-05-29T22:00:00Z'],
      ['2027.05.30 10:00', '2027-05-30T08:00:00Z'],
      ['20270530', '2027-05-29T22:00:00Z'],
      ['20270530T100000', '2027-05-30T08:00:00Z'],
      ['20270530T1000Z', '2027-05-30T10:00:00Z'],
      ['20270530T10:00:00Z', '2027-05-30T10:00:00Z'],
      ['20270530T10:00', '2027-05-30T08:00:00Z'],
      ['20270530T100000+0500', '2027-05-30T05:00:00Z'],
      ['2027-05-30 24:00', '2027-05-30T22:00:00Z'],
      // PostgreSQL
      ['2027-05-30 10:00:00+02', '2027-05-30T08:00:00Z'],
      ['2027-05-30 10:00:00.123456-05', '2027-05-30T15:00:00Z'],
      ['2027-05-30 10:00 UTC', '2027-05-30T10:00:00Z'],
      ['30.05.2027 10:00 -0500', '2027-05-30T15:00:00Z'],
      ['May 30, 2027 10:00 AM', '2027-05-30T08:00:00Z'],
      ['Sunday, May 30th, 2027 at 10:00', '2027-05-30T08:00:00Z'],
      ['30-May-2027', '2027-05-29T22:00:00Z'],
      // LibreOffice
      ['30.05.27 10:00', '2027-05-30T08:00:00Z'],
      ['05/30/27 10:00 AM', '2027-05-30T08:00:00Z'],
      // Excel, from a column without the format of a date
      ['46537', '2027-05-29T22:00:00Z'],
      ['46537.4166666667', '2027-05-30T08:00:00Z'],
      ['46537,4166666667', '2027-05-30T08:00:00Z'],
      // French and German
      ['30/05/2027 18h30', '2027-05-30T16:30:00Z'],
      ['30/05/2027 18h', '2027-05-30T16:00:00Z'],
      ['30.05.2027 19:30 Uhr', '2027-05-30T17:30:00Z'],
      ['30.05.2027, 19 Uhr', '2027-05-30T17:00:00Z'],
      ['30/05/69', '2069-05-29T22:00:00Z'],
      ['30/05/70', '1970-05-29T23:00:00Z'],
      ['2027-05-30T10:00:00+05:00', '2027-05-30T10:00:00+05:00'],
      ['2027-05-30T10:00:00Z', '2027-05-30T10:00:00Z'],
    ])
      expect(await start(text as string), text).to.equal(instant);
  });

  it('leaves a date alone whose day and month cannot be told apart', async () => {
    for (const text of [
      '05/06/2027',
      '05/06/27',
      '27-05-30',
      '30 Kesä 2027',
      // November in Finnish.
      '5 marraskuu 2027',
      '2027-05-30 25:00',
      '2027-05-30 24:01',
      // From ten to twelve.
      '2027-05-30 10:00-12',
      'soon',
    ])
      expect((await csv('title,starts_at', `x,${text}`)())[0]?.event.starts_at, text).to.equal(text);
  });

  it('lets the parser name a date that does not exist, however it is written', async () => {
    for (const [text, read, why] of [
      ['2027-02-30', '2027-02-30T00:00:00Z', /names a date that does not exist/],
      ['31.02.2027 19:30', '2027-02-31T00:00:00Z', /names a date that does not exist/],
      ['31 June 2027', '2027-06-31T00:00:00Z', /names a date that does not exist/],
      ['2027/30/05', '2027-30-05T00:00:00Z', /has no such month/],
      ['20273005', '2027-30-05T00:00:00Z', /has no such month/],
    ] as const) {
      const starts = (await csv('title,starts_at', `x,${text}`)())[0]?.event.starts_at ?? '';
      expect(starts, text).to.equal(read);
      const parsed = parseInstant(starts);
      expect(parsed.ok ? '' : parsed.detail, text).to.match(why);
    }
  });

  it('quotes the time of day and the zone of a start that cannot be read', async () => {
    const start = async (line: string) =>
      (await csv('title,start date,start time,time zone', line)())[0]?.event.starts_at;
    expect(await start('x,2027-05-30,noon,')).to.equal('2027-05-30 noon');
    expect(await start('x,2027-05-30,10:00,Mars')).to.equal('2027-05-30 10:00 Mars');
  });

  it('notes each day that could be another, if only am and pm tell the order of day and month', async () => {
    const head = 'title,date,time';
    const rows = await csv(head, 'x,05/06/2027,6:00 PM', 'y,7/07/2027,6:00 PM')();
    expect(rows[0]?.event.starts_at).to.equal('2027-05-06T18:00:00Z');
    expect(rows[0]?.notes.join()).to.match(/starts_at "05\/06\/2027" was read with the month first/);
    expect(rows[1]?.notes).to.deep.equal([]);
    const told = await csv(head, 'x,05/06/2027,6:00 PM', 'y,31/12/2027,6:00 PM')();
    expect(told[0]?.event.starts_at).to.equal('2027-06-05T18:00:00Z');
    expect(told[0]?.notes).to.deep.equal([]);
  });

  it('takes the order of day and month from another row of the file', async () => {
    const rows = await csv('title,starts_at', 'x,05/06/2027', 'y,31/12/2027')();
    expect(rows[0]?.event.starts_at).to.equal('2027-06-05T00:00:00Z');
  });
});
