import type { FileRead, ImportTable } from '@sluice/import/read/import-table';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { reloadSessionAfter } from '../../api/queries.ts';

/** The stage of an import: choose a file, map columns, check, import. */
export type ImportStage<Checked, Job, Progress> =
  | { readonly name: 'choose'; readonly why?: string }
  | { readonly name: 'map' }
  | { readonly name: 'checking'; readonly done: number }
  | { readonly name: 'checked'; readonly rows: readonly Checked[] }
  | { readonly name: 'importing' | 'imported'; readonly job: Job; readonly progress: Progress };

interface ImportStepsSettings<Job, Progress> {
  readonly nothingYet: Progress;
  /** Imports from a progress on. Rejects if a batch fails. */
  readonly run: (job: Job, before: Progress, onProgress: (progress: Progress) => void) => Promise<void>;
  /** The routes whose data an import changes. */
  readonly stale: readonly { readonly path: string }[];
}

/** The steps that all imports have, one after the other. */
export function useImportSteps<Checked, Job, Progress>(settings: ImportStepsSettings<Job, Progress>) {
  const client = useQueryClient();
  const [stage, setStage] = useState<ImportStage<Checked, Job, Progress>>({ name: 'choose' });
  const [table, setTable] = useState<ImportTable | null>(null);
  const [error, setError] = useState<unknown>(null);
  const reached = useRef(settings.nothingYet);
  // A check is only about the file, the mapping and the source that it began with.
  const latestCheck = useRef(0);
  // Files and feeds are numbered when they are chosen, because a large one may be read after one that was chosen later.
  const chosen = useRef(0);
  const shown = useRef(0);
  const ignoreUnread = () => {
    chosen.current += 1;
    shown.current = chosen.current;
  };

  const go = async (job: Job) => {
    ignoreUnread();
    setError(null);
    setStage({ name: 'importing', job, progress: reached.current });
    try {
      await settings.run(job, reached.current, (progress) => {
        reached.current = progress;
        setStage({ name: 'importing', job, progress });
      });
      setStage({ name: 'imported', job, progress: reached.current });
      await Promise.all(settings.stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })));
    } catch (failure) {
      setError(failure);
      reloadSessionAfter(failure, client);
    }
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
      const show = (next: ImportStage<Checked, Job, Progress>) => {
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
    start(job: Job) {
      reached.current = settings.nothingYet;
      return go(job);
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
    again() {
      ignoreUnread();
      setTable(null);
      setError(null);
      setStage({ name: 'choose' });
    },
  };
}
