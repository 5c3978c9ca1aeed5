export interface Series {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  /** Tells it apart without its colour: a line is dashed like this (SVG), a bar hatched at this angle. */
  readonly dash?: string;
  readonly hatch?: number;
}
