/** The description of a variable, for `.env.example` and error messages. */
export type VariableInfo = {
  readonly group: string;
  readonly description: string;
  /** Shown instead of a default when there is none. */
  readonly example?: string;
};

/** Describes the variables of one group, a heading of `.env.example`. */
export const inGroup =
  (group: string) =>
  (description: string, example?: string): VariableInfo =>
    example === undefined ? { group, description } : { group, description, example };
