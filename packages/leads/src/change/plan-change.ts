import { IDENTIFYING_FIELDS, type LeadPatch } from '@sluice/contract/lead/lead';
import { LEAD_MAX } from '@sluice/contract/lead/lead-limits';
import { hasMessages, type PendingChange } from '@sluice/contract/message/change';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { LeadSettings } from '@sluice/store/leads/lead-settings';
import { claimsOf } from '../fields/lead-keys.ts';
import { mergePatch } from '../fields/merge-patch.ts';
import { type Authored, changesBetween } from './lead-changes.ts';

export type PlannedChange =
  | { readonly status: 'change'; readonly lead: Lead; readonly changes: readonly PendingChange[] }
  | { readonly status: 'unchanged' }
  | { readonly status: 'nothing_identifies' }
  | { readonly status: 'too_many_fields' };

/** A change of a lead beside its patch. */
export interface Wanted {
  readonly patch: LeadPatch;
  readonly conversationId?: string | undefined;
}

/** The next state of a lead and its changes. The stage must be known. Pure. */
export function planChange(
  lead: Lead,
  { patch, conversationId }: Wanted,
  authored: Authored,
  { phone_region }: Pick<LeadSettings, 'phone_region'>,
): PlannedChange {
  const {
    name: _n,
    company: _c,
    email: _e,
    phone: _p,
    phone_e164: _pe,
    external_id: _x,
    note: _o,
    ...fixed
  } = lead;
  const content = mergePatch(lead, patch, phone_region);
  if (!IDENTIFYING_FIELDS.some((field) => content[field] !== undefined))
    return { status: 'nothing_identifies' };
  if (content.fields.size > Math.max(LEAD_MAX.fields, lead.fields.size)) return { status: 'too_many_fields' };
  const stage = patch.stage ?? lead.stage;
  // What subscribers get. The store sets the time of the write.
  const updated_at = Math.max(authored.at, lead.updated_at);
  const own = Object.values(claimsOf(content, phone_region));
  const next = {
    ...fixed,
    ...content,
    stage,
    conversation_id: conversationId ?? lead.conversation_id,
    // A lead keeps only claims of values that it still has. It makes no new ones: a create that matches on a new value finds it.
    claims: lead.claims.filter((claim) => own.includes(claim)),
    updated_at,
    stage_changed_at: stage === lead.stage ? lead.stage_changed_at : updated_at,
    revision: lead.revision + 1,
  };
  const changes = changesBetween(lead, next, authored);
  const last = changes.at(-1);
  if (last === undefined) return { status: 'unchanged' };
  if (changes.some(hasMessages))
    return { status: 'change', lead: { ...next, sequence: last.sequence }, changes };
  // A note changes no field, so it changes no time either. The revision guards the write.
  const noted = { ...lead, revision: next.revision, sequence: last.sequence };
  return { status: 'change', lead: noted, changes: changesBetween(lead, noted, authored) };
}
