/** The context in which a figure measures. */
export interface FigureContext {
  /** The short form checks that everything works. Do not quote its figures. */
  readonly quick: boolean;
  /** Number of leads in the figure of large accounts. */
  readonly leads: number;
  /** A database that has these leads already. Default: a new one, which is filled and dropped. */
  readonly database?: string | undefined;
  /** The commit that the guard compares with (default: the last release), and that the figure of outbound measures too. */
  readonly base?: string | undefined;
  /** The only part of the figure to measure, where it has several. */
  readonly part?: string | undefined;
  /** How often each way is measured, instead of the figure's own number. */
  readonly rounds?: number | undefined;
  /** Concurrent connections to the API server. */
  readonly connections: number;
}

export interface Table {
  readonly title: string;
  readonly text: string;
}

export interface FigureResult {
  readonly tables: readonly Table[];
  /** All measured and derived values, as JSON. */
  readonly data: unknown;
  /** Why the figure fails, although it was measured. */
  readonly failure?: string;
}

export type Figure = (context: FigureContext) => Promise<FigureResult>;

/** Measures one step, and reports its name and duration. */
export async function step<T>(name: string, measure: () => Promise<T>): Promise<T> {
  const since = performance.now();
  process.stderr.write(`  ${name} …`);
  const result = await measure();
  process.stderr.write(` ${((performance.now() - since) / 1000).toFixed(1)} s\n`);
  return result;
}

/** Measures all ways in each round, because only figures of one round compare well. Their results are in the order of the rounds. */
export async function inRounds<Way extends string, T>(
  rounds: number,
  ways: readonly Way[],
  measure: (way: Way) => Promise<T>,
): Promise<Record<Way, T[]>> {
  const runs = Object.fromEntries(ways.map((way) => [way, [] as T[]])) as Record<Way, T[]>;
  for (let round = 1; round <= rounds; round++)
    for (const way of ways) runs[way].push(await step(`${way}, round ${round}`, () => measure(way)));
  return runs;
}
