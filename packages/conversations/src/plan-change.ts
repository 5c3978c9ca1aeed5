import { isDeepStrictEqual } from 'node:util';
import type { Actor, PendingChange } from '@sluice/contract/message/change';
import type { Conversation, ConversationMessage } from '@sluice/store/conversations/conversation-document';
import { type Admitted, type FoldedConversation, foldConversation } from './fold-conversation.ts';
import { pendingChanges } from './pending-changes.ts';

/** Actions of one conversation, as loaded. */
export interface Change {
  readonly before: Conversation | undefined;
  readonly actions: readonly Admitted[];
  readonly messages: readonly ConversationMessage[];
  readonly stored: ReadonlyMap<string, ConversationMessage>;
}

export interface Plan {
  readonly after: Conversation;
  /** To be kept with it. Undefined: nothing changed, so nothing is written. */
  readonly changes: readonly PendingChange[] | undefined;
}

/** Sequence numbers of messages that a conversation remembers. One write brings fewer (apply-conversations.ts). */
const RECENT = 100;

/** The conversation after the actions. `at`: milliseconds since the Unix epoch. */
export function planChange({ before, actions, messages, stored }: Change, at: number): Plan {
  let folded: FoldedConversation | undefined = before;
  for (const one of actions) folded = foldConversation(folded, one);
  const recent = new Set(before?.recent_messages);
  const fresh = messages
    .filter(({ message_id, first_sequence }) => !stored.has(message_id) && !recent.has(first_sequence))
    .sort((a, b) => a.first_sequence - b.first_sequence);
  const edited = messages.some((message) => {
    const known = stored.get(message.message_id);
    return known !== undefined && !isDeepStrictEqual(known, message);
  });
  const after: Conversation = {
    ...(folded as FoldedConversation),
    lead_id: before?.lead_id ?? null,
    ...(before?.erased_sequence !== undefined && { erased_sequence: before.erased_sequence }),
    ...linkDue(before, folded as FoldedConversation, at),
    // Set once: a list by it would show a conversation twice if an older action that comes late changed it.
    created_at: before?.created_at ?? Math.min(...actions.map(({ received_at }) => received_at)),
    updated_at: before?.updated_at ?? at,
    revision: before?.revision ?? 0,
    sequence: before?.sequence ?? 0,
    recent_messages: [...recent, ...fresh.map(({ first_sequence }) => first_sequence)].slice(-RECENT),
    untold: before?.untold ?? [],
  };
  if (before !== undefined && !edited && isDeepStrictEqual(after, before))
    return { after, changes: undefined };
  // What subscribers get. The store sets the time of the write.
  const updated_at = Math.max(before?.updated_at ?? at, at);
  const changes = changesOf({ before, actions, after: { ...after, updated_at }, fresh, at });
  const written = {
    ...after,
    updated_at,
    revision: after.revision + 1,
    sequence: changes.at(-1)?.sequence ?? after.sequence,
  };
  return { after: written, changes };
}

/** A new email or phone number of the contact may be that of a lead. */
function linkDue(
  before: Conversation | undefined,
  { contact }: FoldedConversation,
  at: number,
): Pick<Conversation, 'link_due_at'> {
  const [was, is] = [before?.contact?.value, contact?.value];
  const isNew = (field: 'email' | 'phone') => is?.[field] !== undefined && is[field] !== was?.[field];
  const link_due_at = isNew('email') || isNew('phone') ? at : before?.link_due_at;
  return link_due_at === undefined ? {} : { link_due_at };
}

interface Steps {
  readonly before: Conversation | undefined;
  readonly actions: readonly Admitted[];
  /** The conversation after all actions. */
  readonly after: Conversation;
  readonly fresh: readonly ConversationMessage[];
  readonly at: number;
}

/**
 * The changes of each action, one after the other. A group may request a handoff and end it: the conversation is as before, and
 * subscribers still hear of both.
 */
function changesOf({ before, actions, after, fresh, at }: Steps): PendingChange[] {
  const changes: PendingChange[] = [];
  // Only what the fold does not determine: a register of a later action must not count in an earlier step.
  const { lead_id, created_at, updated_at, revision, recent_messages, untold } = after;
  let known = before;
  for (const one of [...actions].sort((a, b) => a.sequence - b.sequence)) {
    const now: Conversation = {
      ...foldConversation(known, one),
      lead_id,
      created_at,
      updated_at,
      revision,
      recent_messages,
      untold,
      sequence: changes.at(-1)?.sequence ?? after.sequence,
    };
    const messages = fresh.filter(({ first_sequence }) => first_sequence === one.sequence);
    const from = known && { ...known, sequence: now.sequence };
    changes.push(...pendingChanges({ before: from, after: now, messages, actor: actorOf(one), at }));
    known = now;
  }
  return changes;
}

function actorOf({ action: { by }, source_id }: Admitted): Actor {
  return by === undefined ? { type: 'source', id: source_id } : { type: by.type, id: by.id };
}
