import { hash } from 'node:crypto';
import type { Action } from '@sluice/contract/action';
import {
  type CellError,
  type CheckedRow,
  type ImportAccepted,
  type ImportRow,
  type ImportRows,
  importCheck,
  importRows,
} from '@sluice/contract/dashboard/imports';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import { eventId } from '@sluice/contract/event-id';
import { readAction } from '@sluice/contract/parse-action';
import type { ProblemCode } from '@sluice/contract/problem';
import { groupsWithin, type Limits } from '@sluice/contract/within-limits';
import type { EventSearch } from '@sluice/store/event-search';
import type { EnqueueActions } from '../actions/enqueue-actions.ts';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound, type Refusal, refuse } from '../http/result.ts';
import type { OwnSource } from '../sources/own-source.ts';

export interface ImportRoutesDeps {
  readonly ownSource: OwnSource;
  readonly eventSearch: Pick<EventSearch, 'existingEvents'>;
  readonly enqueueActions: EnqueueActions;
  readonly audit: Audit;
}

/** One job's worth: as many, and as large, as a group of the ingress. */
const MAX_ITEMS = 200;
const MAX_CHARACTERS = 128 * 1024;

/** Rows of a file as actions of one source: looked at, or admitted and enqueued like everything else. */
export function importRoutes({ guarded }: Binder, deps: ImportRoutesDeps): void {
  const { ownSource, eventSearch, enqueueActions, audit } = deps;

  guarded(ROUTES.events.checkImport, { body: importCheck }, async ({ who, body: { source_id, rows } }) => {
    const source = await ownSource(who, source_id);
    if (source === undefined) return notFound('source');
    const read = rows.map((row) => readRow(source_id, row));
    const ids = read.flatMap((one) => (one.outcome === 'readable' ? [one.event_id] : []));
    const existing = await eventSearch.existingEvents(ids);
    return done({ rows: read.map((one) => verdictOn(one, existing)) });
  });

  guarded(ROUTES.events.import, { body: importRows }, async ({ who, body, request }) => {
    const source = await ownSource(who, body.source_id);
    if (source === undefined) return notFound('source');
    const { accepted, refused, stopped } = await importAll(enqueueActions, body);
    const [from, to] = [body.rows[0]?.row, body.rows.at(-1)?.row];
    const detail = `${body.file_name}, rows ${from} to ${to}: ${accepted} accepted`;
    const target = { id: source.source_id, name: source.name };
    if (accepted > 0) await audit(who, request, { action: 'events.imported', target, detail });
    return stopped ?? done({ accepted, refused });
  });
}

interface Imported extends ImportAccepted {
  /** Why the rest was not tried: it is no fault of a row. The same rows again leave those accepted as they are. */
  readonly stopped?: Refusal;
}

async function importAll(
  enqueue: EnqueueActions,
  { source_id, import_id, format = 'csv', rows }: ImportRows,
): Promise<Imported> {
  const refused: ImportAccepted['refused'] = [];
  let accepted = 0;
  for (const group of groupsWithin(rows, ONE_JOB)) {
    const read = group.map((row) => readRow(source_id, row));
    const readable = read.filter((one) => one.outcome === 'readable');
    const wanted = readable.map(({ action, digest }) => ({
      action,
      imported: { import_id, format, digest },
    }));
    const results = wanted.length === 0 ? [] : await enqueue(source_id, wanted);
    const stopped = results.find((result) => result.outcome === 'refused' && isOfTheSource(result.code));
    if (stopped?.outcome === 'refused') return { accepted, refused, stopped };
    for (const one of read) {
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

type ReadRow =
  | {
      readonly outcome: 'readable';
      readonly row: number;
      readonly action: Action;
      readonly event_id: string;
      readonly digest: string;
    }
  | { readonly outcome: 'bad'; readonly row: number; readonly errors: CellError[] };

/** The parser of the webhook reads it, so that what is right there is right here. */
function readRow(sourceId: string, { row, action = 'upsert', event }: ImportRow): ReadRow {
  const read = readAction({ action, event });
  switch (read.outcome) {
    case 'valid': {
      const digest = hash('sha256', JSON.stringify([row, action, event]), 'hex').slice(0, 16);
      const event_id = eventId(sourceId, read.action.identity);
      return { outcome: 'readable', row, action: read.action, event_id, digest };
    }
    case 'validation_failed':
      return { outcome: 'bad', row, errors: read.errors.map(cellErrorOf) };
    case 'malformed_json':
      return { outcome: 'bad', row, errors: [{ field: null, detail: read.detail }] };
  }
}

function cellErrorOf({ pointer, detail }: { pointer: string; detail: string }): CellError {
  const [, field] = /^\/event\/(\w+)/.exec(pointer) ?? [];
  return { field: field ?? null, detail };
}

function verdictOn(read: ReadRow, existing: ReadonlySet<string>): CheckedRow {
  if (read.outcome === 'bad') return { row: read.row, verdict: 'bad', errors: read.errors };
  const { row, event_id, action } = read;
  const [there, absent] = action.kind === 'cancel' ? CANCEL : UPSERT;
  return { row, verdict: existing.has(event_id) ? there : absent, event_id };
}

const UPSERT = ['update', 'new'] as const;
const CANCEL = ['cancel', 'nothing'] as const;

/** Then no other row of the file fares better. */
function isOfTheSource(code: ProblemCode): boolean {
  return code === 'source_inactive' || code === 'unavailable';
}

const ONE_JOB: Limits<ImportRow> = {
  sizeOf: ({ event }) => Object.values(event).reduce((sum, text) => sum + (text?.length ?? 0), 0),
  maxItems: MAX_ITEMS,
  maxSize: MAX_CHARACTERS,
};
