import type { ConversationContact } from '@sluice/contract/conversation/conversation';
import { type LeadInput, leadInput } from '@sluice/contract/lead/lead';
import type { Actor } from '@sluice/contract/message/change';
import { linkConversation } from '@sluice/leads/change/change-lead';
import { createLead } from '@sluice/leads/change/create-lead';
import { untilWritten } from '@sluice/leads/contention';
import type { LeadDeps } from '@sluice/leads/deps';
import { findMatch, matchWords } from '@sluice/leads/match/find-match';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import type { ConversationLinks } from '@sluice/store/conversations/conversation-links';
import type { Conversations } from '@sluice/store/conversations/conversations';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { Sources } from '@sluice/store/sources/sources';

export interface LinkLeadDeps {
  readonly leadDeps: LeadDeps;
  readonly conversations: Pick<Conversations, 'loadConversations'>;
  readonly conversationLinks: Pick<ConversationLinks, 'writeKeys' | 'endWait'>;
  readonly sources: Pick<Sources, 'findSource'>;
}

/** The fields of a contact by which its lead is found. */
export const MATCH_ON = ['email', 'phone'] as const;

/**
 * Links a waiting conversation to the oldest lead with the email, else the phone number, of its contact. Where there is none,
 * the conversation keeps its lead, and goes to the first lead that gets them; one without a lead gets a new one if its channel
 * has `makes_leads`. Idempotent. Throws if the store is unavailable; the conversation then still waits.
 */
export async function linkLead(deps: LinkLeadDeps, conversationId: string): Promise<void> {
  await untilWritten(async () => {
    const found = await deps.conversations.loadConversations([conversationId]);
    const conversation = found.get(conversationId);
    if (conversation?.link_due_at === undefined) return 'done';
    return (await linkOnce(deps, conversation)) ? 'done' : 'again';
  });
}

/** False: another writer was first. */
async function linkOnce(deps: LinkLeadDeps, conversation: Conversation): Promise<boolean> {
  const { conversation_id, account_id: accountId, contact } = conversation;
  const { leadDeps, conversationLinks } = deps;
  const input = readContact(contact?.value ?? {});
  const { phone_region } = await leadDeps.settings.read(accountId);
  const keys = contactKeys(input, phone_region);
  let { revision } = conversation;
  if (keys.length === 0 || (await keepsLead(deps, conversation, keys)))
    return (await conversationLinks.endWait({ conversation_id, revision }, 'kept')) !== undefined;
  // First the keys, then the look: a lead that is created meanwhile finds the conversation by them.
  if (!(await conversationLinks.writeKeys({ conversation_id, revision }, keys))) return false;
  revision += 1;
  const lead =
    (await findMatch(leadDeps, { accountId, input, matchOn: MATCH_ON }, { phone_region })) ??
    (conversation.lead_id === null ? await makeLead(deps, conversation, input) : undefined);
  // Before the link: a process that dies in between does both again.
  if (lead !== undefined && lead.conversation_id === null)
    await linkConversation(leadDeps, {
      accountId,
      leadId: lead.lead_id,
      conversationId: conversation_id,
      actor: actorOf(conversation),
    });
  return (await conversationLinks.endWait({ conversation_id, revision }, lead)) !== undefined;
}

/**
 * The keys of an email and a phone number, as leads have them. Two spellings of one address or number share a key.
 */
export function contactKeys(
  { email, phone }: Pick<LeadInput, 'email' | 'phone'>,
  region: string | null,
): readonly string[] {
  return [
    ...(email === undefined ? [] : matchWords('email', email, region)),
    ...(phone === undefined ? [] : matchWords('phone', phone, region)),
  ];
}

/** A conversation changes its lead only if the contact no longer fits it. One of an erased lead never gets another. */
export async function keepsLead(
  { leadDeps }: Pick<LinkLeadDeps, 'leadDeps'>,
  { account_id, lead_id }: Conversation,
  keys: readonly string[],
): Promise<boolean> {
  if (lead_id === null) return false;
  const lead = await leadDeps.leads.findLead(account_id, lead_id);
  if (lead === undefined) return true;
  const { phone_region } = await leadDeps.settings.read(account_id);
  return contactKeys(lead, phone_region).some((key) => keys.includes(key));
}

/** A contact has fewer rules than a lead. What a lead may not have is left out. */
export function readContact(contact: ConversationContact): LeadInput {
  const fields = (['name', ...MATCH_ON] as const).flatMap((field) => {
    const { success, data } = leadInput.safeParse({ external_id: 'x', [field]: contact[field] });
    return success && data[field] !== undefined ? [[field, data[field]]] : [];
  });
  return Object.fromEntries(fields);
}

async function makeLead(
  deps: LinkLeadDeps,
  conversation: Conversation,
  input: LeadInput,
): Promise<Lead | undefined> {
  const { account_id: accountId, channel_id, conversation_id } = conversation;
  const channel = await deps.sources.findSource(channel_id);
  if (channel?.makes_leads !== true) return undefined;
  const made = await createLead(deps.leadDeps, {
    accountId,
    input,
    matchOn: MATCH_ON,
    keepsFound: true,
    actor: actorOf(conversation),
    origin: 'conversation',
    conversationId: conversation_id,
    // Derived, so that a process that died before the link makes no second lead.
    ids: { lead: conversation_id.replace('conv_', 'lead_') },
    isRepeat: true,
  });
  return 'lead' in made ? made.lead : undefined;
}

function actorOf({ channel_id }: Conversation): Actor {
  return { type: 'source', id: channel_id };
}
