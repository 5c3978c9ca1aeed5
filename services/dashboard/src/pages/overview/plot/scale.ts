/** The value axis of a chart. */
export interface Scale {
  readonly ticks: readonly number[];
  /** The value at the top. */
  readonly max: number;
  /** The place of a value: 0 at the bottom, 1 at the top. */
  share(value: number): number;
}

/** Intervals between ticks, about. */
const INTERVALS = 4;

/** From 0 to a round number that no value exceeds. `whole`: values are counts, so ticks are whole numbers. */
export function linearScale(most: number, { whole }: { readonly whole: boolean }): Scale {
  const step = roundUp((most || 1) / INTERVALS, whole);
  const count = Math.max(1, Math.ceil(most / step));
  const max = count * step;
  return {
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
    max,
    share: (value) => value / max,
  };
}

/** From 1 to a power of ten that no value exceeds. A logarithm has no zero: values below 1 lie at the bottom. */
export function logScale(most: number): Scale {
  const powers = Math.max(1, Math.ceil(Math.log10(Math.max(1, most))));
  return {
    ticks: Array.from({ length: powers + 1 }, (_, power) => 10 ** power),
    max: 10 ** powers,
    share: (value) => Math.log10(Math.max(1, value)) / powers,
  };
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number, whole: boolean): number {
  if (whole && value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [1, 2, 5].find((one) => one * power >= value) ?? 10;
  return digit * power;
}

const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** How a tick reads: "1,500", "20K". */
export function tickText(value: number): string {
  return (value < 10_000 ? plain : compact).format(value);
}
