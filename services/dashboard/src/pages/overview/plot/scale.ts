/** The area that a chart draws in, in pixels of its element. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The distance between two buckets of time. */
  readonly step: number;
  /** The middle of a bucket, by its index. */
  x(index: number): number;
  /** The height of a share of the value axis (see `Scale`). */
  y(share: number): number;
  /** The bucket at a place; undefined outside of the box. */
  indexAt(x: number): number | undefined;
}

interface BoxSettings {
  readonly width: number;
  readonly height: number;
  /** Buckets of time. */
  readonly count: number;
  /** Bars: each bucket has a band. Lines: the first and the last bucket lie on the edges. */
  readonly bands: boolean;
  /** A second value axis at the right. */
  readonly twoAxes: boolean;
}

const TICKS_WIDTH = 44;
const TIMES_HEIGHT = 26;
const MARGIN = 8;
/** Times on the axis keep this distance from each other, from middle to middle. */
const TIMES_APART = 84;

export function boxOf({ width, height, count, bands, twoAxes }: BoxSettings): Box {
  const left = TICKS_WIDTH;
  const right = Math.max(left, width - (twoAxes ? TICKS_WIDTH : MARGIN));
  const top = MARGIN;
  const bottom = Math.max(top, height - TIMES_HEIGHT);
  const step = (right - left) / Math.max(1, bands ? count : count - 1);
  const first = bands ? left + step / 2 : left;
  return {
    left,
    right,
    top,
    bottom,
    step,
    x: (index) => first + index * step,
    y: (share) => bottom - share * (bottom - top),
    indexAt(x) {
      if (x < left - MARGIN || x > right + MARGIN || step === 0) return undefined;
      return Math.min(count - 1, Math.max(0, Math.round((x - first) / step)));
    },
  };
}

/** The buckets whose time is written below them, the last ones first. Of equal texts, such as days, only the first counts. */
export function labelledIn(box: Box, labels: readonly string[]): number[] {
  const chosen: number[] = [];
  for (let index = labels.length - 1; index > 0; index--) {
    const before = chosen.at(-1);
    const apart = before === undefined ? TIMES_APART : box.x(before) - box.x(index);
    if (labels[index] !== labels[index - 1] && apart >= TIMES_APART) chosen.push(index);
  }
  return chosen;
}

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

export interface Series {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  /** Tells it apart without its colour: a line is dashed like this (SVG), a bar hatched at this angle. */
  readonly dash?: string;
  readonly hatch?: number;
}

/** A bucket of time: `at` and the values of the series by their keys. null: nothing was measured. */
export type Row = Readonly<Record<string, string | number | null>>;

/** The highest value of some series; stacked, the highest sum. 0 without any. */
export function mostOf(rows: readonly Row[], series: readonly Series[], stacked = false): number {
  const values = rows.map((row) => series.map(({ key }) => Number(row[key] ?? 0)));
  const highest = values.map((some) =>
    stacked ? some.reduce((sum, value) => sum + value, 0) : Math.max(...some),
  );
  return Math.max(0, ...highest);
}
