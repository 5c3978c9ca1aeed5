import { ROUTES } from '@sluice/dashboard-api/routes';
import { batchesOf } from '@sluice/import/read/batches';
import type { FileRead } from '@sluice/import/read/import-table';
import { guessMapping, type Mapping } from '@sluice/import/read/mapping';
import { planFile, rowsToImport, type StoredEvents } from '@sluice/import/read/plan-file';
import type { PlannedRow } from '@sluice/import/read/plan-rows';
import { countWithoutZone, rowSettings } from '@sluice/import/read/row-settings';
import { useMemo, useRef, useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { useWrite } from '../../api/queries.ts';
import { randomId } from '../../api/random-id.ts';
import { useImportSteps } from './use-import-steps.ts';

/** The readers of files come with the first file, because they are large. */
const readers = () => import('@sluice/import/read/read-file');

const STALE = [ROUTES.events.list, ROUTES.events.lastImport];

/** The questions that the plan of an import asks about the events of a source. */
function storedEventsOf(source_id: string): StoredEvents {
  return {
    check: async (rows) => (await callApi(ROUTES.events.checkImport, { body: { source_id, rows } })).rows,
    find: (uids) => callApi(ROUTES.events.findUids, { body: { source_id, uids } }),
    findGone: (event_ids) => callApi(ROUTES.events.findGone, { body: { source_id, event_ids } }),
  };
}

/** The import of events into a source. */
export function useImport(sourceId: string) {
  const { choose, chooseAgain, take, check, start, discardCheck, ...steps } =
    useImportSteps<PlannedRow>(STALE);
  const { table } = steps;
  const [mapping, setMapping] = useState<Mapping>({});
  const [zone, setZone] = useState('UTC');
  const seen = useRef<string>(undefined);
  const [planNotes, setPlanNotes] = useState<readonly string[]>([]);
  const [importId, setImportId] = useState('');
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
    /** Sentences of the check about the whole file. */
    planNotes,
    /** Numbers a feed that is asked for. `take` shows it. */
    chooseFeed: choose,
    take: takeFile,
    /** The zone of times that name none, in a CSV file. */
    zone,
    /** Rows of a CSV file with such a time. */
    withoutZone,
    async choose(file: File) {
      const number = choose();
      const { bytesOfFile, readFile } = await readers();
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
      const { readCalendarText } = await readers();
      takeFile(await readCalendarText({ name: table.fileName, ...table.calendar }, next), number);
    },
    check: async () =>
      table === null
        ? undefined
        : check(async (onProgress) => {
            const file = { table, mapping, zone, now: Date.now() };
            const plan = await planFile(file, storedEventsOf(sourceId), onProgress);
            seen.current = plan.seen;
            setPlanNotes(plan.notes);
            return plan.rows;
          }),
    /** The last import that was started here. */
    importId,
    start(planned: readonly PlannedRow[]) {
      const import_id = randomId();
      setImportId(import_id);
      const { fileName = '', format = 'csv' } = table ?? {};
      const job = {
        source_id: sourceId,
        import_id,
        file_name: fileName.slice(0, 200),
        format,
        seen: seen.current,
      };
      return start(batchesOf(rowsToImport(planned)), (rows) =>
        callApi(ROUTES.events.import, { body: { ...job, rows } }),
      );
    },
    remap(next: Mapping) {
      setMapping(next);
      discardCheck();
    },
  };
}

/** Lets the API fetch a feed, and reads it as a file named after its host. */
export function useFeed({ chooseFeed, take }: Pick<ReturnType<typeof useImport>, 'chooseFeed' | 'take'>) {
  const { mutateAsync, isPending, error, reset } = useWrite(ROUTES.events.readFeed);
  return {
    pending: isPending,
    error,
    async read(url: string) {
      const number = chooseFeed();
      const answer = await mutateAsync({ body: { url } }).catch(() => undefined);
      if (answer === undefined) return;
      const { readCalendarText } = await readers();
      take(await readCalendarText({ name: answer.host, ...answer }), number);
    },
    /** Another file was chosen, so the page no longer waits for the feed. */
    forget: reset,
  };
}
