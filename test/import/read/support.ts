import { guessMapping } from '@sluice/import/read/mapping';
import { readFile } from '@sluice/import/read/read-file';
import { readRow } from '@sluice/import/read/read-row';
import { rowSettings } from '@sluice/import/read/row-settings';

/** A row as the server gets it, or the errors of the file. */
export interface Imported {
  readonly event: Readonly<Record<string, string | undefined>>;
  readonly notes: readonly string[];
  readonly errors: readonly string[];
  /** When the last occurrence of the series starts. */
  readonly recursUntil: string | undefined;
}

/** Reads a file with guessed columns. */
export async function imported(
  name: string,
  content: string | Uint8Array,
  zone = 'UTC',
): Promise<Imported[]> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const read = await readFile({ name, bytes }, zone);
  if (read.outcome === 'refused') throw new Error(read.why);
  const settings = rowSettings(read.table, guessMapping(read.table), zone);
  return read.table.rows.map((row) => {
    const {
      row: { event, recurs_until: recursUntil },
      notes,
    } = readRow(row, settings);
    return { event, notes, recursUntil, errors: (row.errors ?? []).map(({ detail }) => detail) };
  });
}

export const csv =
  (...lines: string[]) =>
  (zone?: string) =>
    imported('a.csv', `${lines.join('\r\n')}\r\n`, zone);

/** The titles of the rows; `(bad)` after those that cannot be imported. */
export function titlesOf(rows: readonly Imported[]): string[] {
  return rows.map(({ event, errors }) => (errors.length > 0 ? '(bad)' : (event.title ?? '')));
}
