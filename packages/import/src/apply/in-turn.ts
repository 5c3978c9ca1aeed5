import type { ImportFormat } from '@sluice/contract/event/event-fields';
import type { ActionRefused } from '@sluice/contract/problem/action-refused';
import type { ImportTurns } from '@sluice/store/imports/import-turns';

export interface InTurnDeps {
  readonly importTurns: Pick<ImportTurns, 'takeTurn' | 'endTurn'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface TurnOf {
  readonly source_id: string;
  readonly import_id: string;
  readonly format: ImportFormat;
  /** The version that the import was planned with (known-events.ts). Absent: any. */
  readonly seen?: string | undefined;
}

/**
 * Does work while no other import of a calendar into the source runs, or says why not. Two at once could make two events of one
 * UID. Rows of a CSV file have no UIDs, so they wait for no turn. If the work fails, its rows may still be enqueued. Then the
 * turn ends by time, and only the same import may go on before.
 */
export async function inTurn<Done>(
  { importTurns, now }: InTurnDeps,
  { source_id, import_id, format, seen }: TurnOf,
  work: () => Promise<Done>,
): Promise<{ readonly outcome: 'done'; readonly result: Done } | ActionRefused> {
  if (format === 'csv') return { outcome: 'done', result: await work() };
  const turn = await importTurns.takeTurn(source_id, { import_id, seen, at: now() });
  switch (turn) {
    case 'busy':
      return IMPORT_RUNS;
    case 'stale':
      return refuse('Another import into this source has run since the file was checked. Check it again.');
    case 'taken': {
      const result = await work();
      await importTurns.endTurn(source_id, import_id, now());
      return { outcome: 'done', result };
    }
  }
}

export const IMPORT_RUNS = refuse(
  'Another import into this source is running, or has stopped within the last minute. Try again in a minute.',
);

function refuse(detail: string): ActionRefused {
  return { outcome: 'refused', code: 'conflict', detail };
}
