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
