import { decodeCalendar } from '@sluice/import/calendar/decode-calendar';
import { expect } from 'chai';
import { calendar, only, read, vevent } from './support.ts';

const event = (title: string) => vevent(`SUMMARY:${title}`, 'DTSTART:20270901T180000Z');

function titles(text: string): (string | undefined)[] {
  return read(text).rows.map((row) => row.event.title);
}

describe('icalendar: encodings of texts', () => {
  const start = 'DTSTART:20270901T180000Z';

  it('reads QUOTED-PRINTABLE in the charset that the property names, across soft line breaks', () => {
    expect(
      only('SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=', 'll', start).event.title,
    ).to.equal('Müll');
    expect(only('SUMMARY;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:M=FCll', start).event.title).to.equal('Müll');
    expect(only('SUMMARY;ENCODING=QUOTED-PRINTABLE:M=FCll', start).event.title).to.equal('Müll');
    for (const charset of ['', 'CHARSET=ISO-8859-1;', 'CHARSET=windows-1252;'])
      expect(only(`SUMMARY;${charset}ENCODING=QUOTED-PRINTABLE:10 =96 12 =80`, start).event.title).to.equal(
        '10 – 12 €',
      );
    expect(only('SUMMARY:2=3D', start).event.title).to.equal('2=3D');
  });

  it('reads the text that people read of texts that a content system wrote as HTML', () => {
    const { event } = only(
      'SUMMARY:Q&amp\\;A &#8211\\; Tea &amp; Talk &#x1F600\\;',
      'LOCATION:M&uuml\\;nster&nbsp\\;West',
      'DESCRIPTION:<p class="x">Dear all\\,</p><p>see <b>you</b></p>',
      start,
    );
    expect(event).to.include({ title: 'Q&A – Tea & Talk 😀', location: 'Münster West' });
    expect(event.description).to.equal('Dear all,\nsee you');
    const plain = 'a &b; &unknown; &#0; &#55296; &constructor; <https://example.org> 1 < 2 > 0';
    expect(only(`SUMMARY:${plain}`, start).event.title).to.equal(plain);
  });

  it('keeps a bad byte from costing another line', () => {
    const bytes = Buffer.from(calendar(...vevent('SUMMARY:M?ll – ü', start), ...event('Größe')));
    bytes[bytes.indexOf('?')] = 0xfc;
    const { text, otherLines } = decodeCalendar(bytes);
    expect(otherLines).to.deep.equal([6]);
    expect(read(text).rows[0]?.event.title).to.match(/^Müll/);
    expect(read(text).rows[1]?.event.title).to.equal('Größe');
  });

  it('reads the punctuation of Windows-1252, in lines and under a charset that the transport names', () => {
    const bytes = Buffer.from(calendar(...event('\x93Caf\xe9\x94 \x96 \x80 5')), 'latin1');
    for (const charset of [undefined, 'windows-1252', 'iso-8859-1'])
      expect(titles(decodeCalendar(bytes, charset).text)).to.deep.equal(['“Café” – € 5']);
  });

  it('reads a charset that the transport names, and UTF-16 by its mark', () => {
    const text = calendar(...event('Müll'));
    expect(decodeCalendar(Buffer.from(text, 'latin1'), 'iso-8859-1').text).to.equal(text);
    expect(decodeCalendar(Buffer.from(text), '"UTF-8"').text).to.equal(text);
    expect(decodeCalendar(Buffer.from(text, 'latin1'), 'iso-8859-2').text).to.equal(text);
    expect(decodeCalendar(Buffer.from(text), 'no-such-charset').text).to.equal(text);
    const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
    expect(titles(decodeCalendar(utf16).text)).to.deep.equal(['Müll']);
  });

  for (const charset of ['iso-8859-1', 'US-ASCII', 'windows-1252'])
    it(`reads UTF-8 that a server calls ${charset}, as servers call every text`, () => {
      const text = calendar(...event('Müll – 5 €'));
      expect(decodeCalendar(Buffer.from(text), charset)).to.deep.equal({ text, otherLines: [] });
    });

  it('keeps a replacement character that the file contains, beside a line that is not UTF-8', () => {
    const [good, mixed] = ['SUMMARY:a \uFFFD b – ü', 'DESCRIPTION:\uFFFD'];
    const bytes = Buffer.concat([Buffer.from(`${good}\n${mixed}`), Buffer.from([0xfc]), Buffer.from('\n')]);
    const { text, otherLines } = decodeCalendar(bytes);
    expect(otherLines).to.deep.equal([2]);
    expect(text.split('\n')).to.deep.equal([good, 'DESCRIPTION:ï¿½ü', '']);
  });

  it('decodes a file of millions of such lines without reading it again for each', function () {
    // To read the file again for each line would take hours.
    this.timeout(120_000);
    const { otherLines } = decodeCalendar(Buffer.from('\xfc\n'.repeat(2_500_000), 'latin1'));
    expect(otherLines).to.have.length(2_500_000);
  });

  it('makes a character whole that was folded twice', () => {
    const bytes = Buffer.from(calendar(...event('5 € each')));
    const at = bytes.indexOf('€');
    const fold = Buffer.from('\r\n ');
    const parts = [
      bytes.subarray(0, at + 1),
      fold,
      bytes.subarray(at + 1, at + 2),
      fold,
      bytes.subarray(at + 2),
    ];
    expect(titles(decodeCalendar(Buffer.concat(parts)).text)).to.deep.equal(['5 € each']);
  });

  it('reads a carriage return in a text as the end of a line of that text', () => {
    const row = only(
      'SUMMARY:x',
      `DESCRIPTION:First\r\\nSecond\rThird`,
      'LOCATION:Library\r\\nSquare 3',
      start,
    );
    expect(row.event).to.include({ description: 'First\nSecond\nThird', location: 'Library, Square 3' });
    expect(only('SUMMARY:x', 'DESCRIPTION:One.\\r\\nTwo.', start).event.description).to.equal('One.\nTwo.');
  });
});
