import { isDeepStrictEqual } from 'node:util';
import type { Doer } from '@sluice/contract/account/doer';
import type { LeadRecord } from '@sluice/contract/lead/lead';
import { type Actor, nextSequence, type PendingChange } from '@sluice/contract/message/change';
import type { Lead } from '@sluice/store/leads/lead-document';
import { describeLead } from '../fields/describe-lead.ts';

/** The author and the time of a change. */
export interface Authored {
  readonly actor: Actor;
  /** For the audit log. Absent: the caller writes the entry. */
  readonly doer?: Doer | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Shown with the change in the history. */
  readonly note?: string | undefined;
  /** The request with an Idempotency-Key that makes the change. */
  readonly requestId?: string | undefined;
}

/** The change of a new lead. */
export function createdChange(lead: Lead, { actor, at, doer }: Authored): PendingChange {
  return {
    sequence: lead.sequence,
    kind: 'lead.created',
    at,
    actor,
    data: describeLead(lead),
    ...(doer !== undefined && { doer }),
  };
}

/** Fields that only follow other changes. */
const FOLLOWING = new Set(['updated_at', 'stage_changed_at']);

/**
 * The changes between two states of a lead: one of its stage and one of all other fields, because subscriptions ask for them
 * separately. A note without a change of the stage is a separate change, which changes no field. Empty if nothing differs and there
 * is no note.
 */
export function changesBetween(
  before: Lead,
  after: Lead,
  { actor, at, doer, note, requestId }: Authored,
): PendingChange[] {
  const data = describeLead(after);
  const { stage, ...rest } = previousOf(describeLead(before), data);
  const hasNote = note !== undefined && note !== '';
  const kinds: [PendingChange['kind'], Partial<LeadRecord>][] = [];
  if (Object.keys(rest).length > 0) kinds.push(['lead.updated', rest]);
  if (stage !== undefined) kinds.push(['lead.stage_changed', { stage }]);
  else if (hasNote) kinds.push(['lead.noted', {}]);
  const first = nextSequence(before.sequence, at);
  return kinds.map(([kind, previous], index) => ({
    sequence: first + index,
    kind,
    at,
    actor,
    data,
    previous,
    ...(doer !== undefined && { doer }),
    ...(hasNote && kind !== 'lead.updated' && { note }),
    ...(requestId !== undefined && { request_id: requestId }),
  }));
}

function previousOf(before: LeadRecord, after: LeadRecord): Partial<LeadRecord> {
  const names = (Object.keys(before) as (keyof LeadRecord)[]).filter(
    (name) => !FOLLOWING.has(name) && !isDeepStrictEqual(before[name], after[name]),
  );
  return Object.fromEntries(
    names.map((name) => [name, name === 'fields' ? previousFields(before, after) : before[name]]),
  );
}

/** Only custom fields that differ. null: the field was not there. */
function previousFields({ fields: before }: LeadRecord, { fields: after }: LeadRecord) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => !Object.is(own(before, name), own(after, name)));
  return Object.fromEntries(differing.map((name) => [name, own(before, name) ?? null]));
}

function own(fields: LeadRecord['fields'], name: string) {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
