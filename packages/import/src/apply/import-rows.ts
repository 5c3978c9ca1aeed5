import { hash } from 'node:crypto';
import type { Deed } from '@sluice/accounts/audit/audited';
import type { EnqueueActions } from '@sluice/admission/enqueue/enqueue-actions';
import { groupsWithin, type Limits } from '@sluice/contract/delivery/within-limits';
import type { ActionRefused } from '@sluice/contract/problem/action-refused';
import type { ProblemCode } from '@sluice/contract/problem/problem';
import type { CellError, ImportAccepted, ImportRows } from '@sluice/dashboard-api/imports';
import type { Events } from '@sluice/store/events/events';
import type { ImportedUid, ImportedUids } from '@sluice/store/imports/imported-uids';
import type { Imports, NotedPart, StoredImport } from '@sluice/store/imports/imports';
import type { Source } from '@sluice/store/sources/source';
import type { ReadRow } from './action-of-row.ts';
import { addressRows } from './address-rows.ts';
import { type InTurnDeps, inTurn } from './in-turn.ts';

export interface ImportRowsDeps extends InTurnDeps {
  readonly events: Pick<Events, 'identitiesAt'>;
  readonly imports: Pick<Imports, 'notePart' | 'findImport'>;
  readonly importedUids: Pick<ImportedUids, 'noteUids'>;
  readonly enqueueActions: EnqueueActions;
}

/** The person that imports, and into what. */
export interface Importer extends Pick<Source, 'account_id' | 'external_ids'> {
  /** Shown with the import: an email address, or the user of the command line. */
  readonly by: string;
}

export interface ImportedRows extends ImportAccepted {
  /** The deliveries of the accepted rows. */
  readonly deliveries: readonly string[];
  /** The place in the part of each row of `refused`. Two rows can have the same number. */
  readonly refusedAt: readonly number[];
  /** Why the remaining rows were not tried. The cause is not a row. Sending the same rows again is idempotent. */
  readonly stopped?: ActionRefused;
  /** The import with all parts so far; absent if it has no accepted row. */
  readonly whole?: StoredImport;
}

/** Admits and enqueues the rows of a part of a file, like actions of the webhook. Records them, so that they can be undone. */
export async function importRows(
  deps: ImportRowsDeps,
  importer: Importer,
  body: ImportRows,
): Promise<ImportedRows> {
  const { source_id, import_id, format = 'csv', seen } = body;
  const turn = { source_id, import_id, format, seen };
  const done = await inTurn(deps, turn, () => importPart(deps, importer, body));
  return done.outcome === 'done'
    ? done.result
    : { accepted: 0, refused: [], refusedAt: [], deliveries: [], stopped: done };
}

async function importPart(
  { events, imports, importedUids, enqueueActions, now }: ImportRowsDeps,
  { account_id, external_ids, by }: Importer,
  body: ImportRows,
): Promise<ImportedRows> {
  const { source_id, import_id, file_name, format = 'csv' } = body;
  const source = { source_id, ...(external_ids !== undefined && { external_ids }) };
  const rows = await addressRows(events, source, body.rows);
  const part = (accepted: number, refused: ReadonlySet<ReadRow>, firstSequence?: number): NotedPart => ({
    ...{ account_id, by, at: now(), accepted, source_id, import_id, file_name, format },
    ...{ first_row: rows[0]?.row ?? 1, last_row: rows.at(-1)?.row ?? 1 },
    digest: hash('sha256', JSON.stringify(body.rows), 'hex').slice(0, 16),
    event_ids: eventIdsOf(rows, refused),
    ...(firstSequence !== undefined && { first_sequence: firstSequence }),
  });
  // Recorded before any row can be applied: an import without a record could not be undone, and events without UIDs would stay
  // when a later import moves them.
  await imports.notePart(part(0, new Set()));
  await importedUids.noteUids(source_id, uidsOf(body, rows), now());
  const { refusedRows, firstSequence, ...all } = await importAll(enqueueActions, body, rows);
  const result = { ...all, refusedAt: rows.flatMap((row, index) => (refusedRows.has(row) ? [index] : [])) };
  await imports.notePart(part(result.accepted, refusedRows, firstSequence));
  const whole = await imports.findImport(account_id, source_id, import_id);
  return whole !== undefined && whole.accepted > 0 ? { ...result, whole } : result;
}

/** The entry of an import in the audit log, before its first part. It has the same id as the entry of each part. */
export function importIntent(
  target: Deed['target'],
  { file_name, import_id }: Pick<ImportRows, 'file_name' | 'import_id'>,
): Deed {
  return { action: 'events.imported', target, detail: file_name, ongoing: import_id };
}

/** The entry of an import in the audit log. Each part replaces the entry of the parts before it. */
export function importDeed(target: Deed['target'], whole: StoredImport): Deed {
  const { file_name, first_row, last_row, accepted, import_id } = whole;
  const detail = `${file_name}, rows ${first_row} to ${last_row}: ${accepted} accepted`;
  return { action: 'events.imported', target, detail, ongoing: import_id };
}

/** Two rows can have the same number: one cancels the event that the other replaces. */
function eventIdsOf(rows: readonly ReadRow[], refused: ReadonlySet<ReadRow>): string[] {
  return rows.flatMap((one) => (one.outcome === 'readable' && !refused.has(one) ? [one.event_id] : []));
}

/** A row that is refused or stopped is noted too. A UID whose last event does not exist means the one before it. */
function uidsOf(body: ImportRows, rows: readonly ReadRow[]): ImportedUid[] {
  return rows.flatMap((one, index) => {
    const id = body.rows[index]?.calendar_id;
    return id === undefined || one.outcome === 'bad' ? [] : [{ ...id, event_id: one.event_id }];
  });
}

async function importAll(
  enqueue: EnqueueActions,
  { source_id, import_id, format = 'csv' }: ImportRows,
  rows: readonly ReadRow[],
): Promise<EnqueuedRows> {
  const refused: ImportAccepted['refused'] = [];
  const refusedRows = new Set<ReadRow>();
  const deliveries: string[] = [];
  let accepted = 0;
  let firstSequence: number | undefined;
  for (const group of groupsWithin(rows, ONE_JOB)) {
    const readable = group.filter((one) => one.outcome === 'readable');
    const wanted = readable.map(({ action, digest }) => ({
      action,
      imported: { import_id, format, digest },
    }));
    const results = wanted.length === 0 ? [] : await enqueue(source_id, wanted);
    const stopped = results.find((result) => result.outcome === 'refused' && isOfTheSource(result.code));
    if (stopped?.outcome === 'refused')
      return { accepted, refused, refusedRows, firstSequence, deliveries, stopped };
    for (const one of group) {
      const result = one.outcome === 'bad' ? ofBadRow(one.errors) : results[readable.indexOf(one)];
      if (result?.outcome === 'refused') {
        refused.push({ row: one.row, code: result.code, detail: result.detail });
        refusedRows.add(one);
        continue;
      }
      accepted += 1;
      if (result === undefined) continue;
      deliveries.push(result.delivery_id);
      firstSequence = Math.min(firstSequence ?? result.sequence, result.sequence);
    }
  }
  return { accepted, refused, refusedRows, firstSequence, deliveries };
}

interface EnqueuedRows extends Omit<ImportedRows, 'refusedAt'> {
  readonly refusedRows: ReadonlySet<ReadRow>;
  /** The lowest sequence number of the accepted rows. */
  readonly firstSequence: number | undefined;
}

function ofBadRow(errors: readonly CellError[]): ActionRefused {
  const detail = errors.map(({ field, detail: what }) => (field === null ? what : `${field}: ${what}`));
  return { outcome: 'refused', code: 'validation_failed', detail: detail.join(' ') };
}

/** Limits of one job: the same as for a group of the ingress. */
export const MAX_ITEMS = 200;
export const MAX_CHARACTERS = 128 * 1024;

const ONE_JOB: Limits<ReadRow> = {
  sizeOf: ({ characters }) => characters,
  maxItems: MAX_ITEMS,
  maxSize: MAX_CHARACTERS,
};

/** Whether the rejection concerns the source, so that every other row would be rejected too. */
export function isOfTheSource(code: ProblemCode): boolean {
  return code === 'source_inactive' || code === 'unavailable';
}
