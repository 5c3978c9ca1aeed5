/** A field that a column can map to. */
export interface KnownField<Field extends string> {
  readonly name: Field;
  readonly label: string;
  /** The column names that identify it, separated by spaces: lower-case letters and digits only. */
  readonly known: string;
}

/** `Start Date` and `start_date` are `startdate`; `Début` is `debut`. */
export function plainName(column: string): string {
  return column
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** Guesses the column index of each field from plain names of columns. A column maps to at most one field. */
export function guessColumns<Field extends string>(
  fields: readonly KnownField<Field>[],
  plainNames: readonly string[],
): Partial<Record<Field, number>> {
  const used = new Set<number>();
  const guesses: Partial<Record<Field, number>> = {};
  for (const { name, known } of fields) {
    const index = known
      .split(' ')
      .map((one) => plainNames.findIndex((column, at) => column === one && !used.has(at)))
      .find((at) => at !== -1);
    if (index === undefined) continue;
    used.add(index);
    guesses[name] = index;
  }
  return guesses;
}
