import { untilWritten } from '@sluice/leads/contention';
import { findMatch } from '@sluice/leads/match/find-match';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import type { ConversationLinks } from '@sluice/store/conversations/conversation-links';
import type { Lead } from '@sluice/store/leads/lead-document';
import { contactKeys, keepsLead, type LinkLeadDeps, linkLead, MATCH_ON, readContact } from './link-lead.ts';

export interface LinkWaitingDeps extends LinkLeadDeps {
  readonly conversationLinks: LinkLeadDeps['conversationLinks'] &
    Pick<ConversationLinks, 'makeDue' | 'makeDueOfLeads' | 'waitingIn'>;
}

/**
 * Links the conversations that wait to a lead that is about to be erased, where it is the lead that they would get. Those that
 * it has, and that another lead would get, go to the other. The lead itself does not change. Idempotent. Throws if the store
 * is unavailable.
 */
export async function linkWaiting(deps: LinkWaitingDeps, lead: Lead): Promise<void> {
  const { phone_region } = await deps.leadDeps.settings.read(lead.account_id);
  const keys = contactKeys(lead, phone_region);
  const fits = ({ contact }: Conversation) =>
    contactKeys(readContact(contact?.value ?? {}), phone_region).some((key) => keys.includes(key));
  // The last changes of this lead may not be published yet.
  await deps.conversationLinks.makeDueOfLeads(lead.account_id, [lead.lead_id], deps.leadDeps.now());
  if (keys.length > 0) await deps.conversationLinks.makeDue(lead.account_id, keys, deps.leadDeps.now());
  // One read for all of them: while links are behind, thousands of conversations wait, and few belong to this lead.
  const waiting = await loadWaiting(deps, await deps.conversationLinks.waitingIn(lead.account_id));
  const isTheirs = ({ lead_id }: Conversation) => lead_id === lead.lead_id;
  for (const one of waiting.filter((each) => isTheirs(each) && !fits(each)))
    await linkLead(deps, one.conversation_id);
  for (const { conversation_id } of waiting.filter((each) => !isTheirs(each) && fits(each)))
    await untilWritten(async () => {
      const [conversation] = await loadWaiting(deps, [conversation_id]);
      if (conversation === undefined || !fits(conversation)) return 'done';
      return (await linkIfNext(deps, conversation, { lead, phone_region })) ? 'done' : 'again';
    });
}

/** Those of the conversations that wait for a look at their link. */
async function loadWaiting(
  { conversations }: LinkWaitingDeps,
  ids: readonly string[],
): Promise<readonly Conversation[]> {
  const found = await conversations.loadConversations([...ids]);
  return [...found.values()].filter(({ link_due_at }) => link_due_at !== undefined);
}

interface Wanted {
  readonly lead: Lead;
  readonly phone_region: string | null;
}

/** Links the conversation if this lead is the one that it would get. False: another writer was first. */
async function linkIfNext(
  deps: LinkWaitingDeps,
  conversation: Conversation,
  { lead: { lead_id }, phone_region }: Wanted,
): Promise<boolean> {
  const { leadDeps, conversationLinks } = deps;
  const { conversation_id, account_id: accountId, contact, revision } = conversation;
  const input = readContact(contact?.value ?? {});
  if (await keepsLead(deps, conversation, contactKeys(input, phone_region))) return true;
  const match = await findMatch(leadDeps, { accountId, input, matchOn: MATCH_ON }, { phone_region });
  if (match?.lead_id !== lead_id) return true;
  return (await conversationLinks.endWait({ conversation_id, revision }, match)) !== undefined;
}
