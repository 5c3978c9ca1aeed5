import { untilWritten } from '@sluice/leads/contention';
import { findMatch } from '@sluice/leads/find-match';
import type { Conversation } from '@sluice/store/conversation-document';
import type { ConversationLinks } from '@sluice/store/conversation-links';
import type { Lead } from '@sluice/store/lead-document';
import { contactKeys, type LinkLeadDeps, MATCH_ON, readContact } from './link-lead.ts';

export interface LinkWaitingDeps extends Pick<LinkLeadDeps, 'conversations'> {
  readonly leadDeps: Pick<LinkLeadDeps['leadDeps'], 'leads' | 'settings' | 'now'>;
  readonly conversationLinks: Pick<ConversationLinks, 'waitingIn' | 'endWait'>;
}

/**
 * Links the conversations that wait to a lead that is about to be erased, where it is the lead that they would get. The lead
 * itself does not change. Idempotent. Throws if the store is unavailable.
 */
export async function linkWaiting(deps: LinkWaitingDeps, lead: Lead): Promise<void> {
  const { phone_region } = await deps.leadDeps.settings.read(lead.account_id);
  const keys = contactKeys(lead, phone_region);
  if (keys.length === 0) return;
  for (const id of await deps.conversationLinks.waitingIn(lead.account_id))
    await untilWritten(async () => {
      const conversation = (await deps.conversations.loadConversations([id])).get(id);
      if (conversation?.link_due_at === undefined || conversation.lead_id !== null) return 'done';
      return (await linkIfFits(deps, conversation, { lead, keys, phone_region })) ? 'done' : 'again';
    });
}

interface Wanted {
  readonly lead: Lead;
  readonly keys: readonly string[];
  readonly phone_region: string | null;
}

/** False: another writer was first. */
async function linkIfFits(
  { leadDeps, conversationLinks }: LinkWaitingDeps,
  { conversation_id, account_id: accountId, contact, revision, updated_at }: Conversation,
  { lead: { lead_id }, keys, phone_region }: Wanted,
): Promise<boolean> {
  const input = readContact(contact?.value ?? {});
  if (!contactKeys(input, phone_region).some((key) => keys.includes(key))) return true;
  const match = await findMatch(leadDeps, { accountId, input, matchOn: MATCH_ON }, { phone_region });
  if (match?.lead_id !== lead_id) return true;
  const link = { lead_id, updated_at: Math.max(leadDeps.now(), updated_at + 1) };
  return (await conversationLinks.endWait({ conversation_id, revision }, link)) !== undefined;
}
