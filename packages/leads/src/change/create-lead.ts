import type { Doer } from '@sluice/contract/account/doer';
import type { LeadInput, LeadMatch, LeadOrigin } from '@sluice/contract/lead/lead';
import { type Actor, nextSequence } from '@sluice/contract/message/change';
import type { Lead, LeadContent } from '@sluice/store/leads/lead-document';
import type { LeadSettings } from '@sluice/store/leads/lead-settings';
import type { LeadWrite } from '@sluice/store/leads/write-leads';
import { untilWritten } from '../contention.ts';
import type { LeadDeps } from '../deps.ts';
import { type Claims, claimsOf, leadKeys } from '../fields/lead-keys.ts';
import { mergePatch } from '../fields/merge-patch.ts';
import { observeFields } from '../fields/observe-fields.ts';
import { findMatch, matchesOnId } from '../match/find-match.ts';
import { type LeadWritten, takenBy, tell, writeChange } from './change-lead.ts';
import { firstStage, takesLeads } from './find-stage.ts';
import { createdChange } from './lead-changes.ts';
import { findChangedBy, hasChangeOf } from './request-changes.ts';

export interface CreateLead {
  readonly accountId: string;
  readonly input: LeadInput;
  /** Fields by which an existing lead is found and changed instead; the first that matches wins. */
  readonly matchOn?: readonly LeadMatch[] | undefined;
  /** The lead to change instead, if it exists. */
  readonly leadId?: string | undefined;
  readonly actor: Actor;
  /** For the audit log, which gets its entry when the change is published. Absent: the caller writes it. */
  readonly doer?: Doer | undefined;
  readonly origin: LeadOrigin;
  /** The id of the lead if it is new. A repeat with the same id makes no second one. */
  readonly ids: { readonly lead: string };
  /** An earlier call with these ids may have made the lead. It is looked up before any match. */
  readonly isRepeat?: boolean | undefined;
  /** The request that creates the lead or changes the one that matches, if it can be repeated. */
  readonly requestId?: string | undefined;
  readonly conversationId?: string | undefined;
  /** A lead that matches stays unchanged. */
  readonly keepsFound?: boolean;
  /** Runs before a lead that matches is changed, also before each further attempt. If it throws, nothing is written. */
  readonly beforeChange?: ((leadId: string) => Promise<void>) | undefined;
}

export type LeadCreated =
  | { readonly status: 'created'; readonly lead: Lead }
  /** A lead with this id existed once and was erased. */
  | { readonly status: 'erased' }
  | Exclude<LeadWritten, { readonly status: 'not_found' | 'changed_meanwhile' }>;

/**
 * Creates a lead, or changes the oldest one that matches: absent fields and the stage stay. Any number of concurrent calls
 * that match on one new value make one lead, because the lead claims the value under a unique index.
 */
export async function createLead(deps: LeadDeps, wanted: CreateLead): Promise<LeadCreated> {
  const { accountId, input, matchOn = [], actor, doer, isRepeat } = wanted;
  const earlier = isRepeat ? await earlierResult(deps, wanted) : undefined;
  if (earlier !== undefined) return earlier;
  const { phone_region } = await deps.settings.read(accountId);
  const content = mergePatch({ tags: [], fields: new Map() }, input, phone_region);
  let claims: Claims = matchOn.length === 0 ? {} : claimsOf(content, phone_region);
  const attempt = async (): Promise<LeadCreated | 'again'> => {
    const found = await findMatch(deps, wanted, { phone_region });
    const settings = await deps.settings.read(accountId);
    if (input.stage !== undefined && !(await takesLeads(deps, accountId, input.stage)))
      return { status: 'unknown_stage' };
    if (found !== undefined) return changeFound(deps, found, wanted);
    await observeFields(deps, accountId, content.fields);
    const lead = { ...newLead(deps, wanted, { content, settings }), claims: Object.values(claims) };
    const changes = [createdChange(lead, { actor, doer, at: lead.created_at })];
    const outcome = await insert(deps, { lead, keys: leadKeys(lead, phone_region), changes }, wanted);
    if (outcome === 'again') claims = await freeClaims(deps, wanted, claims);
    return outcome;
  };
  const first = matchOn.find((field) => input[field] !== undefined);
  const write = () => untilWritten(attempt);
  return first === undefined
    ? write()
    : deps.inTurn(`${accountId} ${first} ${input[first]?.toLowerCase()}`, write);
}

/** Finds the lead that an earlier try of the request has made or changed. */
async function earlierResult(
  deps: LeadDeps,
  { accountId, matchOn = [], leadId, ids, requestId }: CreateLead,
): Promise<LeadCreated | undefined> {
  const made = await deps.leads.findLead(accountId, ids.lead);
  if (made !== undefined) return { status: 'created', lead: made };
  if (requestId === undefined || (matchOn.length === 0 && leadId === undefined)) return undefined;
  const changed = await findChangedBy(deps, accountId, requestId);
  return changed && { status: 'changed', lead: changed };
}

/** A new lead, with the time of now. */
function newLead(
  { now }: LeadDeps,
  { accountId, input, origin, ids, conversationId }: CreateLead,
  { content, settings }: { readonly content: LeadContent; readonly settings: LeadSettings },
): Lead {
  const at = now();
  return {
    ...content,
    lead_id: ids.lead,
    account_id: accountId,
    stage: input.stage ?? firstStage(settings),
    origin,
    conversation_id: conversationId ?? null,
    created_at: at,
    updated_at: at,
    stage_changed_at: at,
    revision: 1,
    sequence: nextSequence(0, at),
    claims: [],
    untold: [],
  };
}

async function insert(deps: LeadDeps, made: LeadWrite, wanted: CreateLead): Promise<LeadCreated | 'again'> {
  const { lead } = made;
  const written = await deps.leads.writeLead(made);
  if (written.status === 'stored') {
    tell(deps, written.lead);
    return { status: 'created', lead: written.lead };
  }
  // Engines name the violated index in different ways, so each is looked up.
  const own = await deps.leads.findLead(lead.account_id, lead.lead_id);
  if (own !== undefined) return { status: 'created', lead: own };
  if ((await deps.leads.erasedAmong([lead.lead_id])).size > 0) return { status: 'erased' };
  if (wanted.matchOn?.includes('external_id')) return 'again';
  return (await takenBy(deps, lead)) ?? 'again';
}

async function changeFound(
  deps: LeadDeps,
  found: Lead,
  { input, actor, doer, ids, conversationId, keepsFound, requestId, isRepeat, beforeChange }: CreateLead,
): Promise<LeadCreated | 'again'> {
  // A repeat finds the lead that the first call has made.
  if (found.lead_id === ids.lead) return { status: 'created', lead: found };
  if (keepsFound) return { status: 'unchanged', lead: found };
  // Others may have changed the lead since. A repeat must not undo that.
  if (isRepeat && requestId !== undefined && (await hasChangeOf(deps, found, requestId)))
    return { status: 'changed', lead: found };
  const { stage: _, ...patch } = input;
  const written = await writeChange(deps, found, {
    wanted: { patch, conversationId },
    actor,
    doer,
    requestId,
    beforeChange,
  });
  if (written === 'again' || written.status === 'not_found' || written.status === 'changed_meanwhile')
    return 'again';
  return written;
}

/**
 * Leaves out claims of other leads on fields that are not matched on, or that a lead with another external_id may share. A
 * matching field is looked up again instead.
 */
async function freeClaims({ leads }: LeadDeps, wanted: CreateLead, claims: Claims): Promise<Claims> {
  const { accountId, matchOn = [] } = wanted;
  const shares = matchesOnId(wanted);
  const held = await leads.heldClaims(accountId, Object.values(claims));
  const kept = Object.entries(claims).filter(
    ([field, claim]) => !held.has(claim) || (!shares && matchOn.includes(field as LeadMatch)),
  );
  return Object.fromEntries(kept);
}
