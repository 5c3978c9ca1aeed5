import type { FileRead, ImportTable } from '@sluice/import/read/import-table';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reloadSessionAfter } from '../../api/queries.ts';

/** A row that the server rejected during the import. */
export interface RefusedRow {
  readonly row: number;
  readonly detail: string;
}

/** The answer to a batch: its rejected rows, and how many others there are of each kind. */
type BatchAnswer = { readonly refused: readonly RefusedRow[] } & {
  readonly [kind: string]: number | readonly RefusedRow[];
};

/** An import to run: each function sends a batch. */
export interface ImportJob {
  readonly rows: number;
  readonly batches: readonly (() => Promise<BatchAnswer>)[];
}

/** The progress of an import. After a failure, the import continues from here. */
export interface ImportProgress {
  readonly batchesDone: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly refused: readonly RefusedRow[];
}

const NOTHING_YET: ImportProgress = { batchesDone: 0, counts: {}, refused: [] };

function plus(before: ImportProgress, { refused, ...counts }: BatchAnswer): ImportProgress {
  const sums = Object.entries(counts).map(([kind, count]) => [
    kind,
    (before.counts[kind] ?? 0) + Number(count),
  ]);
  return {
    batchesDone: before.batchesDone + 1,
    counts: Object.fromEntries(sums),
    refused: [...before.refused, ...refused],
  };
}

/** The stage of an import: choose a file, map columns, check, import. */
export type ImportStage<Checked> =
  | { readonly name: 'choose'; readonly why?: string }
  | { readonly name: 'map' }
  | { readonly name: 'checking'; readonly done: number }
  | { readonly name: 'checked'; readonly rows: readonly Checked[] }
  | { readonly name: 'importing' | 'imported'; readonly job: ImportJob; readonly progress: ImportProgress };

/** The steps that all imports have, one after the other. `stale`: the routes whose data an import changes. */
export function useImportSteps<Checked>(stale: readonly { readonly path: string }[]) {
  const client = useQueryClient();
  const [stage, setStage] = useState<ImportStage<Checked>>({ name: 'choose' });
  const [table, setTable] = useState<ImportTable | null>(null);
  const [error, setError] = useState<unknown>(null);
  const reached = useRef(NOTHING_YET);
  // A check is only about the file, the mapping and the source that it began with.
  const latestCheck = useRef(0);
  // Files and feeds are numbered when they are chosen, because a large one may be read after one that was chosen later.
  const chosen = useRef(0);
  const shown = useRef(0);
  const ignoreUnread = () => {
    chosen.current += 1;
    shown.current = chosen.current;
  };

  const go = async (job: ImportJob) => {
    ignoreUnread();
    setError(null);
    setStage({ name: 'importing', job, progress: reached.current });
    try {
      for (const send of job.batches.slice(reached.current.batchesDone)) {
        reached.current = plus(reached.current, await send());
        setStage({ name: 'importing', job, progress: reached.current });
      }
      setStage({ name: 'imported', job, progress: reached.current });
      await Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })));
    } catch (failure) {
      setError(failure);
      reloadSessionAfter(failure, client);
    }
  };

  const again = () => {
    ignoreUnread();
    setTable(null);
    setError(null);
    setStage({ name: 'choose' });
  };
  return {
    stage,
    table,
    error,
    /** Returns the number of a file that is chosen now, and is read next. */
    choose(): number {
      chosen.current += 1;
      return chosen.current;
    },
    /** Returns the number of the file that is shown, to read it again with other settings. */
    chooseAgain: (): number => shown.current,
    /**
     * Shows a file, or why it can't be imported, and discards the check of another file. Returns false for a file that was read too
     * late: a file that was chosen later is shown, or an import has started meanwhile.
     */
    take(read: FileRead, number: number): boolean {
      if (number < shown.current) return false;
      shown.current = number;
      latestCheck.current += 1;
      setError(null);
      setTable(read.outcome === 'read' ? read.table : null);
      setStage(read.outcome === 'read' ? { name: 'map' } : { name: 'choose', why: read.why });
      return true;
    },
    async check(work: (onProgress: (done: number) => void) => Promise<readonly Checked[]>) {
      latestCheck.current += 1;
      const mine = latestCheck.current;
      const show = (next: ImportStage<Checked>) => {
        if (latestCheck.current === mine) setStage(next);
      };
      setError(null);
      show({ name: 'checking', done: 0 });
      try {
        show({ name: 'checked', rows: await work((done) => show({ name: 'checking', done })) });
      } catch (failure) {
        if (latestCheck.current === mine) setError(failure);
        show({ name: 'map' });
        reloadSessionAfter(failure, client);
      }
    },
    /** Imports batches of rows, one after the other. `send` sends one. */
    start<Row>(batches: readonly Row[][], send: (rows: Row[]) => Promise<BatchAnswer>) {
      reached.current = NOTHING_YET;
      return go({ rows: batches.flat().length, batches: batches.map((rows) => () => send(rows)) });
    },
    /** Continues from the batch that failed. */
    resume: go,
    /** Discards the check, because it was about another mapping or source. */
    discardCheck() {
      latestCheck.current += 1;
      setStage({ name: 'map' });
    },
    /** Leads from an import that failed back to its check: another import may have run meanwhile, so that Retry would fail again. */
    back() {
      setError(null);
      setStage({ name: 'map' });
    },
    again,
    /** The import was undone. A file that was chosen since stays. */
    leaveResult() {
      if (stage.name === 'imported') again();
    },
  };
}
