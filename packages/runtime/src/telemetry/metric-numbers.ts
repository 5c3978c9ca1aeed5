/** Metrics as the registry returns them. Its library's type omits the values. */
type Metrics = readonly { readonly name: string }[];
type WithValues = Metrics[number] & { readonly values: readonly Sample[] };
type Sample = { readonly value: unknown; readonly labels: object; readonly metricName?: string };

/** Writes NaN and infinity as strings: JSON lacks them, and JSON.stringify would write null. */
export function writeMetrics(metrics: Metrics): string {
  return JSON.stringify(metrics, (_key, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
}

/** Restores the numbers of metrics that `writeMetrics` wrote and JSON.parse read. */
export function readNumbers<M extends Metrics>(metrics: M): M {
  return mapSamples(metrics, (samples) => samples.map((one) => ({ ...one, value: numberOf(one.value) })));
}

/** An older version wrote NaN as null. */
function numberOf(value: unknown): number {
  return value === null ? Number.NaN : Number(value);
}

/**
 * Drops a NaN when another replica knows the number: one replica without Redis must not hide the numbers of the others.
 * A NaN of all replicas stays.
 */
export function withoutUnknown<M extends Metrics>(replicas: readonly M[]): readonly M[] {
  const all = replicas.flat() as object[] as readonly WithValues[];
  if (!all.some(({ values }) => values.some(({ value }) => Number.isNaN(value)))) return replicas;
  const known = new Set<string>();
  for (const { name, values } of all)
    for (const sample of values) if (!Number.isNaN(sample.value)) known.add(seriesOf(name, sample));
  return replicas.map((metrics) =>
    mapSamples(metrics, (samples, name) =>
      samples.filter((one) => !Number.isNaN(one.value) || !known.has(seriesOf(name, one))),
    ),
  );
}

function seriesOf(name: string, { metricName, labels }: Sample): string {
  return JSON.stringify([metricName ?? name, Object.entries(labels).sort()]);
}

function mapSamples<M extends Metrics>(
  metrics: M,
  change: (samples: readonly Sample[], name: string) => readonly Sample[],
): M {
  return (metrics as object as readonly WithValues[]).map((metric) => ({
    ...metric,
    values: change(metric.values, metric.name),
  })) as object as M;
}
