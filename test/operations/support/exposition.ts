/** A /metrics response of a process, parsed. */
export interface Exposition {
  /** Metric -> counter, gauge, histogram or summary. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
  /** The sum of the samples with this name and all of these labels; undefined if there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Requests /metrics from an admin port. */
export async function scrape(adminUrl: string | undefined): Promise<Exposition> {
  const response = await fetch(`${adminUrl}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`);
  return parseExposition(await response.text());
}

/** Throws for lines that are not in the Prometheus text format. */
export function parseExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\w+) (\w+)$/.exec(line);
    if (type !== null) types.set(type[1] as string, type[2] as string);
    else if (line !== '' && !line.startsWith('#')) samples.push(parseSample(line));
  }
  const value: Exposition['value'] = (name, labels = {}) => {
    const found = samples.filter(
      (one) => one.name === name && Object.entries(labels).every(([label, is]) => one.labels[label] === is),
    );
    return found.length === 0 ? undefined : found.reduce((sum, one) => sum + one.value, 0);
  };
  return { types, samples, value };
}

function parseSample(line: string): Sample {
  const parts = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
  if (parts === null) throw new Error(`not a sample: ${line}`);
  const [, name = '', labels = '', value = ''] = parts;
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, is]) => [label, is]);
  return { name, labels: Object.fromEntries(pairs), value: value === 'Nan' ? Number.NaN : Number(value) };
}
