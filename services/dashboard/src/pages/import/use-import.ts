import { ROUTES } from '@sluice/dashboard-api/routes';
import { batchesOf } from '@sluice/import/read/batches';
import type { FileRead } from '@sluice/import/read/import-table';
import { guessMapping, type Mapping } from '@sluice/import/read/mapping';
import { planFile, rowsToImport } from '@sluice/import/read/plan-file';
import type { PlannedRow } from '@sluice/import/read/plan-rows';
import { bytesOfFile, readCalendarText, readFile } from '@sluice/import/read/read-file';
import { countWithoutZone, rowSettings } from '@sluice/import/read/row-settings';
import { useMemo, useRef, useState } from 'react';
import { randomId } from '../../api/random-id.ts';
import { useImportSteps } from '../import-parts/use-import-steps.ts';
import {
  type ImportJob,
  type ImportProgress,
  importBatches,
  NOTHING_YET,
  storedEventsOf,
} from './send-rows.ts';

const RUN = {
  nothingYet: NOTHING_YET,
  run: importBatches,
  stale: [ROUTES.events.list, ROUTES.events.lastImport],
};

/** The import of events into a source. */
export function useImport(sourceId: string) {
  const { choose, chooseAgain, take, check, start, discardCheck, ...steps } = useImportSteps<
    PlannedRow,
    ImportJob,
    ImportProgress
  >(RUN);
  const { table } = steps;
  const [mapping, setMapping] = useState<Mapping>({});
  const [zone, setZone] = useState('UTC');
  const seen = useRef<string>(undefined);
  // Computed from all rows, so not on each render.
  const withoutZone = useMemo(
    () => (table === null ? 0 : countWithoutZone(table, rowSettings(table, mapping, zone))),
    [table, mapping, zone],
  );

  const takeFile = (read: FileRead, number: number) => {
    if (take(read, number) && read.outcome === 'read') setMapping(guessMapping(read.table));
  };

  return {
    ...steps,
    mapping,
    /** Numbers a feed that is asked for. `take` shows it. */
    chooseFeed: choose,
    take: takeFile,
    /** The zone of times that name none, in a CSV file. */
    zone,
    /** Rows of a CSV file with such a time. */
    withoutZone,
    async choose(file: File) {
      const number = choose();
      const content = await bytesOfFile(file);
      const { name, type } = file;
      const read =
        content.outcome === 'refused' ? content : await readFile({ name, type, bytes: content.bytes });
      takeFile(read, number);
    },
    /** Reads the file again, with another zone for times without one. */
    async inZone(next: string) {
      setZone(next);
      discardCheck();
      if (table?.calendar === undefined) return;
      const number = chooseAgain();
      takeFile(await readCalendarText({ name: table.fileName, ...table.calendar }, next), number);
    },
    check: async () =>
      table === null
        ? undefined
        : check(async (onProgress) => {
            const file = { table, mapping, zone, now: Date.now() };
            const plan = await planFile(file, storedEventsOf(sourceId), onProgress);
            seen.current = plan.seen;
            return plan.rows;
          }),
    start(planned: readonly PlannedRow[]) {
      const { fileName = '', format = 'csv' } = table ?? {};
      const file = { file_name: fileName.slice(0, 200), format, seen: seen.current };
      const batches = batchesOf(rowsToImport(planned));
      return start({ source_id: sourceId, import_id: randomId(), ...file, batches });
    },
    remap(next: Mapping) {
      setMapping(next);
      discardCheck();
    },
  };
}
