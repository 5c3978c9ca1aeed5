import type { Peer } from './peer-options.ts';

/** The context in which a figure measures. */
export interface FigureContext {
  /** The short form checks that everything works. Do not quote its figures. */
  readonly quick: boolean;
  /** Duration of a soak. Minutes. */
  readonly minutes: number;
  /** The rate of a soak, as a share of the rate that is sustained with large groups. */
  readonly share: number;
  /** Number of actions in the figure that checks whether memory grows with them. */
  readonly actions: number;
  /** Number of leads in the figure of large accounts. */
  readonly leads: number;
  /** A database that has these leads already. Default: a new one, which is filled and dropped. */
  readonly database?: string | undefined;
  /** The commit that the guard compares with. Default: the last release. */
  readonly base?: string | undefined;
  /** The only part of the figure to measure, where it has several. */
  readonly part?: string | undefined;
  /** How often each way is measured, instead of the figure's own number. */
  readonly rounds?: number | undefined;
  /** Concurrent connections to the API server. */
  readonly connections: number;
  /** Another program for outbound messages, which runs already. */
  readonly peer?: Peer | undefined;
  /**
   * Measures one step, or with `--resume` returns the result of an earlier run under the same name. The result is stored
   * as JSON before the next step begins. `minutes` is the expected duration of a long step.
   */
  step<T>(name: string, measure: () => Promise<T>, minutes?: number): Promise<T>;
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
  /** Curves as SVG, by file name. */
  readonly charts?: Readonly<Record<string, string>>;
}

export type Figure = (context: FigureContext) => Promise<FigureResult>;
