import type { Delivery, Outcome } from '@sluice/contract/delivery';
import type { EventContent, EventStatus } from '@sluice/contract/event-fields';
import type { EventState } from '@sluice/contract/event-state';
import { formatInstant } from '@sluice/contract/instant';
import {
  CHANGING_FIELDS,
  type ChangingField,
  type DeliveryChange,
  type FieldChange,
  type UnknownChange,
} from '@sluice/dashboard-api/event-changes';
import { readKeptAction } from '../deliveries/reprocessable.ts';

export interface ChangesInput {
  /** Deliveries of one event, in any order. */
  readonly rows: readonly Delivery[];
  /** Why it is not known what was before the first of them. */
  readonly beforeFirst: UnknownChange;
  /** The event as it is: it holds what its last upsert said, also where the body of that was not kept. */
  readonly state: EventState | undefined;
}

/** Texts as they are shown; null: the event has none. */
type Fields = Readonly<Record<ChangingField, string | null>>;

/** What is known of the event between two deliveries. `unknown`: why the fields that are missing are. */
interface Known {
  readonly exists: boolean;
  readonly deleted: boolean;
  readonly fields: Partial<Fields>;
  readonly unknown: UnknownChange | null;
}

type Change = Omit<DeliveryChange, 'delivery_id'>;

const NONE = fieldsOf({}, null);
const DELETED: Known = { exists: false, deleted: true, fields: NONE, unknown: null };
const NOTHING: Change = { did: 'nothing', fields: [], unknown: null };

/**
 * What each delivery changed of the event, by its delivery id. Deliveries are looked at in the order of admission; what
 * was superseded when it was applied changed nothing, so the next one is compared with what stood before it.
 */
export function changesOf({ rows, beforeFirst, state }: ChangesInput): ReadonlyMap<string, Change> {
  const unknown: Known = { exists: true, deleted: false, fields: {}, unknown: beforeFirst };
  const changes = new Map<string, Change>();
  let known = unknown;
  for (const row of rows.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))) {
    const lost = CHANGED_IT.has(row.outcome) && !known.exists;
    const { change, after } = step(row, lost ? unknown : known, state);
    changes.set(row.delivery_id, change);
    known = after;
  }
  return changes;
}

/** Outcomes that an event which is not there cannot have: how it came back is not in the log. */
const CHANGED_IT: ReadonlySet<Outcome> = new Set(['updated', 'cancelled', 'deleted']);

interface Step {
  readonly change: Change;
  readonly after: Known;
}

function step(row: Delivery, before: Known, state: EventState | undefined): Step {
  switch (row.outcome) {
    case 'created': {
      const after = saidBy(row, state);
      const did = before.deleted ? 'brought_back' : 'created';
      return { change: { did, fields: differences(NONE, after.fields), unknown: after.unknown }, after };
    }
    case 'updated': {
      const after = saidBy(row, state);
      const unknown = after.unknown ?? ofBefore(before);
      return { change: { did: 'updated', fields: differences(before.fields, after.fields), unknown }, after };
    }
    case 'cancelled': {
      const after = cancelled(before);
      const unknown = before.fields.status === undefined ? ofBefore(before) : null;
      return {
        change: { did: 'cancelled', fields: differences(before.fields, after.fields), unknown },
        after,
      };
    }
    case 'deleted': {
      const fields = differences(before.fields, NONE);
      return { change: { did: 'deleted', fields, unknown: ofBefore(before) }, after: DELETED };
    }
    case 'not_found':
      // A cancel that was applied before the upsert it follows has left its mark: the event is cancelled all the same.
      return {
        change: NOTHING,
        after: row.action === 'cancel' && before.exists ? cancelled(before) : before,
      };
    case 'superseded':
    case 'duplicate':
    case 'failed':
    case 'rejected':
      return { change: NOTHING, after: before };
  }
}

function cancelled(before: Known): Known {
  return { ...before, fields: { ...before.fields, status: 'cancelled' } };
}

/** Why it is not known what was before, to the delivery that came after. */
function ofBefore({ unknown }: Known): UnknownChange | null {
  return unknown === 'body_not_kept' ? 'body_before_not_kept' : unknown;
}

/** What an upsert says of the event: by its body, else by the event, where nothing newer has set that. */
function saidBy(row: Delivery, state: EventState | undefined): Known {
  const there = { exists: true, deleted: false };
  const kept = readKeptAction(row);
  if (kept.status === 'action' && kept.action.kind === 'upsert')
    return { ...there, fields: fieldsOf(kept.action.content, kept.action.status), unknown: null };
  const content = state?.content?.sequence === row.sequence ? state?.content?.value : undefined;
  if (content === undefined) return { ...there, fields: {}, unknown: 'body_not_kept' };
  const { status: _, ...fields } = fieldsOf(content, null);
  return state?.status?.sequence === row.sequence
    ? { ...there, fields: { ...fields, status: state?.status?.value ?? null }, unknown: null }
    : { ...there, fields, unknown: 'body_not_kept' };
}

function fieldsOf({ ends_at, ...texts }: EventContent, status: EventStatus | null): Fields {
  const { description = null, url = null, price = null, recurring = null } = texts;
  return {
    status,
    ends_at: ends_at === undefined ? null : formatInstant(ends_at),
    description,
    url,
    price,
    recurring,
  };
}

function differences(before: Partial<Fields>, after: Partial<Fields>): FieldChange[] {
  return CHANGING_FIELDS.flatMap((field) => changeOf(field, before[field], after[field]));
}

function changeOf(
  field: ChangingField,
  before: string | null | undefined,
  after: string | null | undefined,
): FieldChange[] {
  if (after === undefined || before === after) return [];
  if (before !== undefined) return [{ field, before, after }];
  return after === null ? [] : [{ field, after }];
}
