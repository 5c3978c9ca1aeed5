import type { ProblemCode } from '@sluice/contract/problem';
import { groupsWithin, type Limits } from '@sluice/contract/within-limits';
import {
  type CellError,
  type CheckedRow,
  type ImportAccepted,
  type ImportRows,
  importCheck,
  importRows,
} from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { EnqueueActions } from '@sluice/management/enqueue-actions';
import type { EventSearch } from '@sluice/store/event-search';
import type { ImportPart, Imports } from '@sluice/store/imports';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { LARGE_BODY_BYTES } from '../http/read-body.ts';
import { done, notFound, type Refusal, refuse } from '../http/result.ts';
import type { OwnSource } from '../sources/own-source.ts';
import { type ReadRow, readRow } from './read-row.ts';

export interface ImportRoutesDeps {
  readonly ownSource: OwnSource;
  readonly eventSearch: Pick<EventSearch, 'existingEvents'>;
  readonly imports: Pick<Imports, 'notePart' | 'findImport'>;
  readonly enqueueActions: EnqueueActions;
  readonly audit: Audit;
  readonly now: () => number;
}

/** Limits of one job: the same as for a group of the ingress. */
export const MAX_ITEMS = 200;
export const MAX_CHARACTERS = 128 * 1024;

/** Handles rows of a file as actions of one source: checks them, or admits and enqueues them like any other action. */
export function importRoutes({ guarded }: Binder, deps: ImportRoutesDeps): void {
  const { ownSource, eventSearch, imports, enqueueActions, audit, now } = deps;

  const check = { body: importCheck, maxBodyBytes: LARGE_BODY_BYTES };
  guarded(ROUTES.events.checkImport, check, async ({ who, body: { source_id, rows } }) => {
    const source = await ownSource(who, source_id);
    if (source === undefined) return notFound('source');
    const read = rows.map((row) => readRow(source_id, row));
    const ids = read.flatMap((one) => (one.outcome === 'readable' ? [one.event_id] : []));
    const existing = await eventSearch.existingEvents(ids);
    return done({ rows: read.map((one) => verdictOn(one, existing)) });
  });

  const inputs = { body: importRows, maxBodyBytes: LARGE_BODY_BYTES };
  guarded(ROUTES.events.import, inputs, async ({ who, body, request }) => {
    const source = await ownSource(who, body.source_id);
    if (source === undefined) return notFound('source');
    const rows = body.rows.map((row) => readRow(body.source_id, row));
    const part = ({ accepted, refused }: ImportAccepted): ImportPart => ({
      ...{ account_id: who.accountId, by: who.user.email, at: now(), accepted },
      ...{ source_id: body.source_id, import_id: body.import_id },
      ...{ first_row: rows[0]?.row ?? 1, last_row: rows.at(-1)?.row ?? 1 },
      ...{ file_name: body.file_name, format: body.format ?? 'csv' },
      event_ids: eventIdsOf(rows, refused),
    });
    // Recorded before any row can be applied: an import without a record could not be undone.
    await imports.notePart(part({ accepted: 0, refused: [] }));
    const { stopped, ...result } = await importAll(enqueueActions, body, rows);
    await imports.notePart(part(result));
    const whole = await imports.findImport(who.accountId, body.source_id, body.import_id);
    if (whole !== undefined && whole.accepted > 0)
      await audit(who, request, {
        action: 'events.imported',
        target: { id: source.source_id, name: source.name },
        detail: `${body.file_name}, rows ${whole.first_row} to ${whole.last_row}: ${whole.accepted} accepted`,
        ongoing: body.import_id,
      });
    return stopped ?? done(result);
  });
}

function eventIdsOf(rows: readonly ReadRow[], refused: ImportAccepted['refused']): string[] {
  const without = new Set(refused.map(({ row }) => row));
  return rows.flatMap((one) => (one.outcome === 'readable' && !without.has(one.row) ? [one.event_id] : []));
}

interface Imported extends ImportAccepted {
  /** Why the remaining rows were not tried. The cause is not a row. Sending the same rows again is idempotent. */
  readonly stopped?: Refusal;
}

async function importAll(
  enqueue: EnqueueActions,
  { source_id, import_id, format = 'csv' }: ImportRows,
  rows: readonly ReadRow[],
): Promise<Imported> {
  const refused: ImportAccepted['refused'] = [];
  let accepted = 0;
  for (const group of groupsWithin(rows, ONE_JOB)) {
    const readable = group.filter((one) => one.outcome === 'readable');
    const wanted = readable.map(({ action, digest }) => ({
      action,
      imported: { import_id, format, digest },
    }));
    const results = wanted.length === 0 ? [] : await enqueue(source_id, wanted);
    const stopped = results.find((result) => result.outcome === 'refused' && isOfTheSource(result.code));
    if (stopped?.outcome === 'refused') return { accepted, refused, stopped };
    for (const one of group) {
      const refusal = one.outcome === 'bad' ? ofBadRow(one.errors) : results[readable.indexOf(one)];
      if (refusal?.outcome !== 'refused') accepted += 1;
      else refused.push({ row: one.row, code: refusal.code, detail: refusal.detail });
    }
  }
  return { accepted, refused };
}

function ofBadRow(errors: readonly CellError[]): Refusal {
  const detail = errors.map(({ field, detail: what }) => (field === null ? what : `${field}: ${what}`));
  return refuse('validation_failed', detail.join(' '));
}

function verdictOn(read: ReadRow, existing: ReadonlySet<string>): CheckedRow {
  if (read.outcome === 'bad') return { row: read.row, verdict: 'bad', errors: read.errors };
  const { row, event_id, action } = read;
  const [there, absent] = action.kind === 'cancel' ? CANCEL : UPSERT;
  return { row, verdict: existing.has(event_id) ? there : absent, event_id };
}

const UPSERT = ['update', 'new'] as const;
const CANCEL = ['cancel', 'nothing'] as const;

/** Whether the rejection concerns the source, so that every other row would be rejected too. */
export function isOfTheSource(code: ProblemCode): boolean {
  return code === 'source_inactive' || code === 'unavailable';
}

const ONE_JOB: Limits<ReadRow> = {
  sizeOf: ({ characters }) => characters,
  maxItems: MAX_ITEMS,
  maxSize: MAX_CHARACTERS,
};
