import type { ConversationAction } from '@sluice/contract/conversation/conversation-action';
import { applyConversations } from '@sluice/conversations/apply-conversations';
import { conversationIdOf } from '@sluice/conversations/fold-conversation';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import type { Store } from '@sluice/store/connect';

interface Channel {
  readonly accountId: string;
  readonly channelId: string;
}

let last = 0;

/** Later than every number before, as in the admission. */
function nextSequence(): number {
  last = Math.max(last + 1, Date.now() * 1000);
  return last;
}

/** Applies actions of a channel as the worker does, one after the other. Returns the id of the conversation. */
export async function applyActions(
  store: Pick<Store, 'conversations' | 'conversationMessages' | 'auditLog'>,
  { accountId, channelId }: Channel,
  actions: readonly ConversationAction[],
): Promise<string> {
  const admitted = actions.map((action) => {
    const sequence = nextSequence();
    const received_at = Math.floor(sequence / 1000);
    return { account_id: accountId, source_id: channelId, sequence, received_at, action };
  });
  await applyConversations(
    {
      ...store,
      tell: () => undefined,
      linkSoon: () => undefined,
      backoff: createRaceBackoff(),
      now: Date.now,
    },
    admitted,
  );
  const [first] = admitted;
  if (first === undefined) throw new Error('no action to apply');
  return conversationIdOf(first);
}

/** A message of a visitor, in the conversation with this external id. */
export function visitorSays(
  external_id: string,
  text: string,
  more: Partial<ConversationAction> = {},
): ConversationAction {
  return {
    kind: 'message',
    message: { external_id: `${external_id}-${nextSequence()}`, author: 'visitor', text },
    ...more,
    conversation: { external_id, ...more.conversation },
  };
}
