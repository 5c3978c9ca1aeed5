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
