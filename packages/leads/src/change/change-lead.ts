import type { Doer } from '@sluice/contract/account/doer';
import type { LeadPatch } from '@sluice/contract/lead/lead';
import type { Actor } from '@sluice/contract/message/change';
import type { Lead } from '@sluice/store/leads/lead-document';
import { untilWritten } from '../contention.ts';
import type { LeadDeps } from '../deps.ts';
import { changedKeys } from '../fields/lead-keys.ts';
import { observeFields } from '../fields/observe-fields.ts';
import { takesLeads } from './find-stage.ts';
import { expectRoomForPending } from './pending-limit.ts';
import { planChange, type Wanted } from './plan-change.ts';
import { hasChangeOf } from './request-changes.ts';

export interface ChangeLead {
  readonly accountId: string;
  readonly leadId: string;
  readonly patch: LeadPatch;
  /** The change takes place only if the lead has one of these revisions. */
  readonly ifMatch?: readonly number[] | undefined;
  readonly actor: Actor;
  /** For the audit log, which gets its entry when the change is published. Absent: the caller writes it. */
  readonly doer?: Doer | undefined;
  /** Shown in the history with the change of the stage; without one, as a separate entry. */
  readonly note?: string | undefined;
  /** The request that makes the change, if it can be repeated. */
  readonly requestId?: string | undefined;
  /** An earlier try of that request may have made it. */
  readonly isRepeat?: boolean;
}

export type LeadWritten =
  | { readonly status: 'changed'; readonly lead: Lead }
  /** The lead has all of these values already, and there is no note. Nothing was written. */
  | { readonly status: 'unchanged'; readonly lead: Lead }
  | { readonly status: 'not_found' }
  /** The revision of the lead is not in `ifMatch`. */
  | { readonly status: 'changed_meanwhile'; readonly lead: Lead }
  /** Another lead of the account, with the id `by`, has the external id. */
  | { readonly status: 'external_id_taken'; readonly by: string }
  /** The stage does not exist, or is being retired. */
  | { readonly status: 'unknown_stage' }
  /** The lead would have neither a name, an email, a phone number nor an external id. */
  | { readonly status: 'nothing_identifies' }
  /** The lead would have more custom fields than LEAD_MAX.fields. */
  | { readonly status: 'too_many_fields' };

/** Changes a lead by a merge patch. A patch that changes nothing writes nothing, unless it has a note. */
export async function changeLead(deps: LeadDeps, change: ChangeLead): Promise<LeadWritten> {
  const { accountId, leadId, patch, ifMatch, actor, doer, note, requestId } = change;
  const attempt = async (): Promise<LeadWritten | 'again'> => {
    const lead = await deps.leads.findLead(accountId, leadId);
    if (lead === undefined) return { status: 'not_found' };
    // Others may have changed the lead since. A repeat must not undo that.
    if (change.isRepeat && requestId !== undefined && (await hasChangeOf(deps, lead, requestId)))
      return { status: 'changed', lead };
    if (ifMatch !== undefined && !ifMatch.includes(lead.revision))
      return { status: 'changed_meanwhile', lead };
    return writeChange(deps, lead, { wanted: { patch }, actor, doer, note, requestId });
  };
  return deps.inTurn(leadId, () => untilWritten(attempt));
}

/** Moves a lead to another stage. The note is kept with the move, also where the lead is in that stage already. */
export function moveLead(
  deps: LeadDeps,
  { stage, ...rest }: Omit<ChangeLead, 'patch'> & { readonly stage: string },
): Promise<LeadWritten> {
  return changeLead(deps, { ...rest, patch: { stage } });
}

/** Connects a lead with a conversation. */
export async function linkConversation(
  deps: LeadDeps,
  {
    accountId,
    leadId,
    conversationId,
    actor,
  }: { accountId: string; leadId: string; conversationId: string; actor: Actor },
): Promise<LeadWritten> {
  return untilWritten(async () => {
    const lead = await deps.leads.findLead(accountId, leadId);
    if (lead === undefined) return { status: 'not_found' };
    return writeChange(deps, lead, { wanted: { patch: {}, conversationId }, actor });
  });
}

interface Write {
  readonly wanted: Wanted;
  readonly actor: Actor;
  readonly doer?: Doer | undefined;
  readonly note?: string | undefined;
  readonly requestId?: string | undefined;
  /** Runs before a write. If it throws, nothing is written. */
  readonly beforeChange?: ((leadId: string) => Promise<void>) | undefined;
}

/**
 * Writes one change of a loaded lead, guarded by its revision. `again`: load it again, another change was first. Throws
 * PendingLimitError if too many of its changes are not published yet.
 */
export async function writeChange(
  deps: LeadDeps,
  lead: Lead,
  { wanted, beforeChange, ...author }: Write,
): Promise<LeadWritten | 'again'> {
  const settings = await deps.settings.read(lead.account_id);
  const { stage = lead.stage } = wanted.patch;
  if (stage !== lead.stage && !(await takesLeads(deps, lead.account_id, stage)))
    return { status: 'unknown_stage' };
  const plan = planChange(lead, wanted, { ...author, at: deps.now() }, settings);
  if (plan.status === 'unchanged') return { status: 'unchanged', lead };
  if (plan.status !== 'change') return plan;
  expectRoomForPending(lead);
  await observeFields(deps, lead.account_id, plan.lead.fields);
  await beforeChange?.(lead.lead_id);
  const keys = changedKeys(lead, plan.lead, settings.phone_region);
  const written = await deps.leads.writeLead({ lead: plan.lead, keys, changes: plan.changes });
  switch (written.status) {
    case 'stored':
      tell(deps, written.lead);
      return { status: 'changed', lead: written.lead };
    case 'lost_race':
      return 'again';
    case 'duplicate':
      return (await takenBy(deps, plan.lead)) ?? 'again';
  }
}

/** Gives a lead's pending changes to the publisher. */
export function tell({ publisher }: LeadDeps, { lead_id, account_id, untold }: Lead): void {
  if (untold.length > 0)
    publisher.publishSoon({ collection: 'leads', id: lead_id, account_id, changes: untold });
}

/** The other lead that has the external id of this one. */
export async function takenBy(
  { leads }: LeadDeps,
  { account_id, lead_id, external_id }: Pick<Lead, 'account_id' | 'lead_id' | 'external_id'>,
): Promise<{ readonly status: 'external_id_taken'; readonly by: string } | undefined> {
  if (external_id === undefined) return undefined;
  const holder = await leads.findByExternalId(account_id, external_id);
  if (holder === undefined || holder.lead_id === lead_id) return undefined;
  return { status: 'external_id_taken', by: holder.lead_id };
}
