/**
 * The beginnings of the months, without accents: English, German, French, Spanish, Italian, Portuguese, Dutch and the languages of
 * Scandinavia share most of them. None begins two months in different languages.
 */
const MONTHS: readonly RegExp[] = [
  /^(?:jan|ene|gen)/,
  /^(?:feb|fev)/,
  // Finnish November is `marraskuu`.
  /^(?:mar(?!ra)|mrt|maa|mrz|maerz)/,
  /^(?:apr|avr|abr)/,
  /^(?:may|mai|maj|mei|mag)/,
  /^(?:jun|juin|giu)/,
  /^(?:jul|juil|lug)/,
  /^(?:aug|aou|ago|avg)/,
  /^(?:sep|set)/,
  /^(?:oct|okt|ott|out)/,
  /^nov/,
  /^(?:dec|dez|dic|des)/,
];

const WEEKDAY = String.raw`(?:[a-z]{2,12}(?:-feira)?\.?,?\s+)?`;
const OF = String.raw`(?:de\s+|del\s+)?`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|er|[eºª°])?`;
const REST = String.raw`(?:,?\s+(?:(?:at|um|a|as|a las|alle|ore|om|kl|klo)\.?\s+)?(.*))?$`;

/** `30 May 2027`, `30-May-2027`, `30. Mai 2027`, `30 de mayo de 2027`, `Sunday, May 30th, 2027`; a time of day may follow. */
const DAY_FIRST = new RegExp(
  String.raw`^${WEEKDAY}(?:(?:den|le|el|il)\s+)?${DAY}\.?[\s-]+${OF}([a-z]{3,10})\.?,?[\s-]+${OF}(\d{4})${REST}`,
  'i',
);
const MONTH_FIRST = new RegExp(String.raw`^${WEEKDAY}([a-z]{3,10})\.?\s+${DAY},?\s+(\d{4})${REST}`, 'i');

export interface WordedDate {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  readonly day: number;
  /** The time of day behind the date. */
  readonly rest: string;
}

/** Reads a date whose month is a word; undefined for any other text. */
export function readWordedDate(text: string): WordedDate | undefined {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '');
  const dayFirst = DAY_FIRST.exec(plain);
  const parts = dayFirst ?? MONTH_FIRST.exec(plain);
  if (parts === null) return undefined;
  const [day, word] = dayFirst === null ? [parts[2], parts[1]] : [parts[1], parts[2]];
  const month = MONTHS.findIndex((pattern) => pattern.test((word ?? '').toLowerCase())) + 1;
  return month === 0
    ? undefined
    : { year: Number(parts[3]), month, day: Number(day), rest: (parts[4] ?? '').trim() };
}
