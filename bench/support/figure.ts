/** What a figure is given to measure with. */
export interface FigureContext {
  /** Short form: a first look, no figures to quote. */
  readonly quick: boolean;
  /** How long a soak lasts. */
  readonly minutes: number;
  /** The rate of a soak, as a share of what is kept up in large groups. */
  readonly share: number;
  /** How many go through where it is asked whether memory grows with them. */
  readonly actions: number;
  /**
   * Measures one thing, or with `--resume` takes what an earlier run has measured under the same name. The result is
   * kept as JSON before the next step begins. `minutes`: how long it is meant to last, where that is long.
   */
  step<T>(name: string, measure: () => Promise<T>, minutes?: number): Promise<T>;
}

export interface Table {
  readonly title: string;
  readonly text: string;
}

export interface FigureResult {
  readonly tables: readonly Table[];
  /** Everything measured and derived, as JSON. */
  readonly data: unknown;
  /** Curves as SVG by file name. */
  readonly charts?: Readonly<Record<string, string>>;
}

export type Figure = (context: FigureContext) => Promise<FigureResult>;
