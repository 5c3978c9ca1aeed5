import { readAppliedAction } from '@sluice/accounts/deliveries/kept-action';
import type { Delivery, Outcome } from '@sluice/contract/delivery/delivery';
import type { EventContent, EventStatus } from '@sluice/contract/event/event-fields';
import { showFields } from '@sluice/contract/event/event-record';
import type { EventState } from '@sluice/contract/event/event-state';
import {
  CHANGING_FIELDS,
  type ChangingField,
  type DeliveryChange,
  type FieldChange,
  type UnknownChange,
} from '@sluice/dashboard-api/event-changes';
import type { Mapper } from '@sluice/signature/mapping/mapper';

export interface ChangesInput {
  /** Deliveries of one event in any order. */
  readonly rows: readonly Delivery[];
  /** Why the state before the first delivery is unknown. */
  readonly beforeFirst: UnknownChange;
  /** The current event. It contains the content of its last upsert, even if that request's body was not stored. */
  readonly state: EventState | undefined;
  /** The mapping of the source. */
  readonly mapper: Mapper | undefined;
}

/** Field values as displayed; null: the event has none. */
type Fields = Readonly<Record<ChangingField, string | null>>;

/** The known state of the event between two deliveries. `unknown`: why the absent fields are unknown. */
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
 * Computes what each delivery changed in the event, by delivery id. Deliveries are processed in the order of admission.
 * A delivery that was superseded when applied changed nothing, so the next one is compared with the state before it.
 */
export function changesOf({ rows, beforeFirst, ...event }: ChangesInput): ReadonlyMap<string, Change> {
  const unknown: Known = { exists: true, deleted: false, fields: {}, unknown: beforeFirst };
  const changes = new Map<string, Change>();
  let known = unknown;
  for (const row of rows.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))) {
    const lost = CHANGED_IT.has(row.outcome) && !known.exists;
    const { change, after } = step(row, lost ? unknown : known, event);
    changes.set(row.delivery_id, change);
    known = after;
  }
  return changes;
}

/** Outcomes that require an existing event. If it is missing here, its creation is not in the log. */
const CHANGED_IT: ReadonlySet<Outcome> = new Set(['updated', 'cancelled', 'deleted']);

interface Step {
  readonly change: Change;
  readonly after: Known;
}

type EventNow = Pick<ChangesInput, 'state' | 'mapper'>;

function step(row: Delivery, before: Known, event: EventNow): Step {
  switch (row.outcome) {
    case 'created': {
      const after = contentOf(row, event);
      const did = before.deleted ? 'brought_back' : 'created';
      return { change: { did, fields: differences(NONE, after.fields), unknown: after.unknown }, after };
    }
    case 'updated': {
      const after = contentOf(row, event);
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
      // A cancel that was applied before the upsert it follows left its mark: the event is cancelled anyway.
      return {
        change: NOTHING,
        after: row.action === 'cancel' && before.exists ? cancelled(before) : before,
      };
    case 'superseded':
    case 'duplicate':
    case 'ignored':
    case 'failed':
    case 'rejected':
      return { change: NOTHING, after: before };
  }
}

function cancelled(before: Known): Known {
  return { ...before, fields: { ...before.fields, status: 'cancelled' } };
}

/** Why the state before is unknown, from the perspective of the next delivery. */
function ofBefore({ unknown }: Known): UnknownChange | null {
  return unknown === 'body_not_kept' ? 'body_before_not_kept' : unknown;
}

/** The content of an upsert: from its body, or else from the event if nothing newer has set it. */
function contentOf(row: Delivery, { state, mapper }: EventNow): Known {
  const there = { exists: true, deleted: false };
  const action = readAppliedAction(row, mapper);
  if (action?.kind === 'upsert')
    return { ...there, fields: fieldsOf(action.content, action.status), unknown: null };
  const content = state?.content?.sequence === row.sequence ? state?.content?.value : undefined;
  if (content === undefined) return { ...there, fields: {}, unknown: 'body_not_kept' };
  const { status: _, ...fields } = fieldsOf(content, null);
  return state?.status?.sequence === row.sequence
    ? { ...there, fields: { ...fields, status: state?.status?.value ?? null }, unknown: null }
    : { ...there, fields, unknown: 'body_not_kept' };
}

function fieldsOf(content: EventContent, status: EventStatus | null): Fields {
  return showFields({ ...content, status });
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
