const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `marraskuu`. Other languages write March like this. */
const FINNISH_NOVEMBER = /^marra/i;

/** `30 May 2027`, `30-May-2027`, `Sunday, May 30th, 2027`; a time of day may follow. */
const DAY_FIRST =
  /^(?:[a-z]{2,9},?\s+)?(\d{1,2})(?:st|nd|rd|th)?\.?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4})(?:,?\s+(?:at\s+)?(.*))?$/i;
const MONTH_FIRST =
  /^(?:[a-z]{2,9},?\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?:,?\s+(?:at\s+)?(.*))?$/i;

export interface WordedDate {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  readonly day: number;
  /** The time of day behind the date. */
  readonly rest: string;
}

/** Reads a date whose month is an English word; undefined for any other text. Other languages share some words. */
export function readWordedDate(text: string): WordedDate | undefined {
  const dayFirst = DAY_FIRST.exec(text);
  const parts = dayFirst ?? MONTH_FIRST.exec(text);
  if (parts === null) return undefined;
  const [day, word] = dayFirst === null ? [parts[2], parts[1]] : [parts[1], parts[2]];
  const month = FINNISH_NOVEMBER.test(word ?? '')
    ? 0
    : MONTHS.indexOf((word ?? '').slice(0, 3).toLowerCase()) + 1;
  return month === 0
    ? undefined
    : { year: Number(parts[3]), month, day: Number(day), rest: (parts[4] ?? '').trim() };
}
