import { conversationId } from '@sluice/contract/conversation-id';
import type { EraseDeps } from '@sluice/leads/erase-lead';
import type { DeadLetters, StoredDeadLetter } from '@sluice/queue/dead-letters';
import type { LinkedConversation } from '@sluice/store/erasure/erased-traces';

export interface ForgetOutsideDeps {
  readonly deadLetters: Pick<DeadLetters, 'list' | 'remove'>;
}

const PAGE = 1000;

/** Removes copies of conversations in Redis: actions that could not be applied. */
export function createForgetOutside(deps: ForgetOutsideDeps): EraseDeps['forgetOutside'] {
  return async (conversations) => {
    const isTheirs = letterOf(conversations);
    const theirs: string[] = [];
    for (let from = 0, read = PAGE; read === PAGE; from += read) {
      const letters = await deps.deadLetters.list(PAGE, from);
      theirs.push(...letters.filter(isTheirs).map(({ delivery_id }) => delivery_id));
      read = letters.length;
    }
    for (const deliveryId of theirs) await deps.deadLetters.remove(deliveryId);
  };
}

/** Also finds letters that no version can read, by the quoted id of the conversation in their text. */
function letterOf(conversations: readonly LinkedConversation[]): (letter: StoredDeadLetter) => boolean {
  const ids = new Set(conversations.map(({ conversation_id }) => conversation_id));
  const externalIds = conversations.flatMap(({ external_id }) =>
    external_id === '' ? [] : [JSON.stringify(external_id)],
  );
  return ({ action }) => {
    const { source_id, action: inner } = fieldsOf(action);
    const { external_id } = fieldsOf(fieldsOf(inner).conversation);
    if (typeof source_id !== 'string' || !conversations.some(({ channel_id }) => channel_id === source_id))
      return false;
    if (typeof external_id === 'string') return ids.has(conversationId(source_id, external_id));
    // The body of the request is a text within the text.
    const text = JSON.stringify(action).replaceAll('\\"', '"');
    return externalIds.some((one) => text.includes(one));
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
