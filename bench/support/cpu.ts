/** CPU time of each part of a pipeline: seconds, or microseconds for each action or message. */
export type CpuOf<Part extends string> = Readonly<Record<Part, number>>;

/** Something whose CPU time is counted. Seconds. */
export interface Counted {
  cpuSeconds(): Promise<number>;
}

/** CPU time of each part so far. Seconds. 0 for a part that a pipeline does not have. */
export async function cpuOf<Part extends string>(
  parts: Readonly<Record<Part, Counted | undefined>>,
): Promise<CpuOf<Part>> {
  const counted = Object.entries(parts) as [Part, Counted | undefined][];
  const read = counted.map(async ([part, of]) => [part, (await of?.cpuSeconds()) ?? 0] as const);
  return Object.fromEntries(await Promise.all(read)) as CpuOf<Part>;
}

/** CPU time between two readings. Microseconds for each of `count` actions or messages. */
export function cpuOfEach<Part extends string>(
  before: CpuOf<Part>,
  after: CpuOf<Part>,
  count: number,
): CpuOf<Part> {
  const of = (part: Part) => ((after[part] - before[part]) * 1e6) / count;
  return Object.fromEntries((Object.keys(before) as Part[]).map((part) => [part, of(part)])) as CpuOf<Part>;
}
