import type { Output, Row } from '../output.ts';
import { type ImportLine, VERDICTS } from './import-line.ts';

export interface LinesToPrint {
  readonly lines: readonly ImportLine[];
  /** Sentences about the whole file. */
  readonly notes: readonly string[];
  readonly json: boolean;
  readonly dryRun: boolean;
}

const COLUMNS = ['row', 'verdict', 'starts_at', 'title', 'what'];

/** Prints a line for each row, then the counts. Returns how many rows are bad. */
export async function printLines(
  output: Output,
  { lines, notes, json, dryRun }: LinesToPrint,
): Promise<number> {
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, lines.filter((line) => line.verdict === verdict).length]),
  );
  await output.rows(json ? lines.map(toJson) : lines.map(toTable), COLUMNS);
  if (json) output.record({ summary: counts, notes });
  else {
    for (const note of notes) output.note(note);
    const words = VERDICTS.map((verdict) => `${counts[verdict]} ${verdict.replace('_', ' ')}`).join(', ');
    output.note(dryRun ? `${words}. Nothing was changed.` : `${words}.`);
  }
  return counts.bad ?? 0;
}

function toJson({ row, verdict, event, notes, errors }: ImportLine): Row {
  return { row, verdict, event, notes, errors };
}

function toTable({ row, verdict, event, notes, errors }: ImportLine): Row {
  const wrong = errors.map(({ field, detail }) => (field === undefined ? detail : `${field}: ${detail}`));
  const what = [...wrong, ...notes].join(' ');
  return { row, verdict, starts_at: event?.starts_at ?? null, title: event?.title ?? null, what };
}
