type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];
/** Samples by metric name. A metric that could not be read has no samples. */
export type Samples = Readonly<Record<string, readonly Sample[]>>;

/** Name, help, names of labels. */
export type MetricInfo = readonly [string, string, ...string[]];
