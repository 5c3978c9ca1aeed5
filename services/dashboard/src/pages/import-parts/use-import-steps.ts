import type { FileRead, ImportTable } from '@sluice/importing/import-table';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

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

  const go = async (job: Job) => {
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
    }
  };

  return {
    stage,
    table,
    error,
    /** Shows a file, or why it can't be imported. */
    take(read: FileRead) {
      setError(null);
      setTable(read.outcome === 'read' ? read.table : null);
      setStage(read.outcome === 'read' ? { name: 'map' } : { name: 'choose', why: read.why });
    },
    async check(work: (onProgress: (done: number) => void) => Promise<readonly Checked[]>) {
      setError(null);
      setStage({ name: 'checking', done: 0 });
      try {
        setStage({ name: 'checked', rows: await work((done) => setStage({ name: 'checking', done })) });
      } catch (failure) {
        setError(failure);
        setStage({ name: 'map' });
      }
    },
    start(job: Job) {
      reached.current = settings.nothingYet;
      return go(job);
    },
    /** Continues from the batch that failed. */
    resume: go,
    /** Discards the check, because it was about another mapping or source. */
    discardCheck: () => setStage({ name: 'map' }),
    again() {
      setTable(null);
      setError(null);
      setStage({ name: 'choose' });
    },
  };
}
