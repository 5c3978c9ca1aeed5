/** The names that content systems write. Letters with accents are composed of the letter and the name of the accent. */
const NAMED: Readonly<Record<string, string>> = {
  ...{
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ndash: '–',
    mdash: '—',
    hellip: '…',
    bull: '•',
  },
  ...{
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    laquo: '«',
    raquo: '»',
    euro: '€',
  },
  ...{
    szlig: 'ß',
    aelig: 'æ',
    AElig: 'Æ',
    oslash: 'ø',
    Oslash: 'Ø',
    oelig: 'œ',
    OElig: 'Œ',
    shy: '',
    copy: '©',
  },
};
const ACCENTS: Readonly<Record<string, string>> = {
  ...{
    grave: '\u0300',
    acute: '\u0301',
    circ: '\u0302',
    tilde: '\u0303',
    uml: '\u0308',
    ring: '\u030A',
    cedil: '\u0327',
  },
};
const ENTITY =
  /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z])(grave|acute|circ|tilde|uml|ring|cedil)|([a-z]{2,7}));/gi;
const LINE_END = /<br ?\/?>|<\/(?:p|div|li|h[1-6])>/gi;
const TAG = /<\/?(?:p|div|li|ul|ol|b|i|u|em|strong|span|a|h[1-6])(?: [^<>]{0,2000})?>/gi;

/** The text that people read of a text that a content system wrote as HTML. Other texts stay as they are. */
export function withoutHtml(text: string): string {
  return text
    .replace(LINE_END, '\n')
    .replace(TAG, '')
    .replace(ENTITY, (whole, decimal, hex, letter, accent, name) => {
      if (letter !== undefined) return `${letter}${ACCENTS[accent.toLowerCase()]}`.normalize('NFC');
      if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] as string) : whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      // Control characters and halves of a pair are no text.
      return code < 32 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
        ? whole
        : String.fromCodePoint(code);
    });
}
