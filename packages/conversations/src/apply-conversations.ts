import { isDeepStrictEqual } from 'node:util';
import type { Actor, UntoldChange } from '@sluice/contract/change';
import type { AuditLog } from '@sluice/store/audit-log';
import type { Conversation, ConversationMessage } from '@sluice/store/conversation-document';
import type { ConversationMessages, MessageWrite } from '@sluice/store/conversation-messages';
import type { Conversations } from '@sluice/store/conversations';
import { auditOfActions } from './audit-of-actions.ts';
import {
  type Admitted,
  conversationIdOf,
  type FoldedConversation,
  foldConversation,
  foldMessage,
  messageOf,
} from './fold-conversation.ts';
import { untoldChanges } from './untold-changes.ts';

export interface ApplyDeps {
  readonly conversations: Pick<Conversations, 'loadConversations' | 'writeConversation'>;
  readonly conversationMessages: Pick<ConversationMessages, 'loadMessages' | 'writeMessages'>;
  readonly auditLog: Pick<AuditLog, 'insertEntries'>;
  /** Is given the untold changes of a conversation after each write. Must not throw. */
  readonly tell: (conversation: Conversation) => void;
  /** Is given a conversation that waits for its lead, after each write. Must not throw. */
  readonly linkSoon: (conversationId: string) => void;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** The effect of an action. Applying it again has the same outcome. */
export type ApplyOutcome = 'created' | 'updated' | 'superseded';

export interface Applied {
  readonly outcome: ApplyOutcome;
  readonly conversation: Conversation;
  /** The message of the action as stored; undefined if it brought none. */
  readonly message: ConversationMessage | undefined;
  /** The lead of the conversation was erased after the action was accepted, so it had no effect. */
  readonly isErased?: true;
}

/** Sequence numbers of messages that a conversation remembers. A retry comes long before as many more. */
const RECENT = 100;

/**
 * Applies actions, and returns one result for each, in their order. Idempotent: actions that were applied before change
 * nothing. Throws if the store is unavailable; then apply all of them again.
 */
export async function applyConversations(deps: ApplyDeps, admitted: readonly Admitted[]): Promise<Applied[]> {
  const groups = groupsOf(admitted);
  const results = new Map<Admitted, Applied>();
  const apply = async ([id, actions]: readonly [string, readonly Admitted[]]) => {
    while (!(await applyOnce(deps, id, actions, results)));
  };
  await Promise.all([...groups].map(apply));
  await deps.auditLog.insertEntries(auditOfActions(admitted));
  return admitted.map((one) => results.get(one) as Applied);
}

function groupsOf(admitted: readonly Admitted[]): Map<string, Admitted[]> {
  const groups = new Map<string, Admitted[]>();
  for (const one of admitted) {
    const id = conversationIdOf(one);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [one]);
    else group.push(one);
  }
  return groups;
}

/** Applies the actions of one conversation. False: another writer was first, so try again. */
async function applyOnce(
  deps: ApplyDeps,
  id: string,
  actions: readonly Admitted[],
  results: Map<Admitted, Applied>,
): Promise<boolean> {
  const ids = new Set(actions.flatMap((one) => messageOf(one)?.message_id ?? []));
  const [loaded, stored] = await Promise.all([
    deps.conversations.loadConversations([id]),
    deps.conversationMessages.loadMessages([...ids]),
  ]);
  const before = loaded.get(id);
  const left = withoutErased(before, actions, results);
  return left.length === 0 || applyLoaded(deps, { before, stored, actions: left }, results);
}

/** Erased is what was accepted before the erasure, also if it waited in a queue. */
function withoutErased(
  before: Conversation | undefined,
  actions: readonly Admitted[],
  results: Map<Admitted, Applied>,
): readonly Admitted[] {
  const until = before?.erased_sequence;
  if (before === undefined || until === undefined) return actions;
  const isErased = ({ sequence }: Admitted) => sequence <= until;
  const erased = { outcome: 'superseded', conversation: before, message: undefined, isErased: true } as const;
  for (const one of actions.filter(isErased)) results.set(one, erased);
  return actions.filter((one) => !isErased(one));
}

type Loaded = Pick<Change, 'before' | 'stored' | 'actions'>;

async function applyLoaded(
  deps: ApplyDeps,
  { before, stored, actions }: Loaded,
  results: Map<Admitted, Applied>,
): Promise<boolean> {
  const sent = actions.map(messageOf);
  const messages = new Map<string, ConversationMessage>();
  for (const message of sent) {
    if (message === undefined) continue;
    const known = messages.get(message.message_id) ?? stored.get(message.message_id);
    messages.set(message.message_id, foldMessage(known, message));
  }
  const plan = planned(deps, { before, actions, messages: [...messages.values()], stored });
  // First the conversation with its untold changes: if this process dies in between, a retry finds the message missing.
  const after =
    plan.changes === undefined
      ? plan.after
      : await deps.conversations.writeConversation(plan.after, plan.changes);
  if (after === undefined) return false;
  const writes = [...messages.values()].flatMap((message): MessageWrite[] => {
    const known = stored.get(message.message_id);
    return isDeepStrictEqual(known, message) ? [] : [{ message, before: known }];
  });
  if ((await deps.conversationMessages.writeMessages(writes)) === 'lost_race') return false;
  if (after.untold.length > 0) deps.tell(after);
  if (after.link_due_at !== undefined) deps.linkSoon(after.conversation_id);
  actions.forEach((one, index) => {
    const message = sent[index] && messages.get(sent[index].message_id);
    results.set(one, { outcome: outcomeOf(one, after, message), conversation: after, message });
  });
  return true;
}

interface Change {
  readonly before: Conversation | undefined;
  readonly actions: readonly Admitted[];
  readonly messages: readonly ConversationMessage[];
  readonly stored: ReadonlyMap<string, ConversationMessage>;
}

interface Plan {
  readonly after: Conversation;
  /** To be kept with it. Undefined: nothing changed, so nothing is written. */
  readonly changes: readonly UntoldChange[] | undefined;
}

/** The conversation after the actions. */
function planned({ now }: ApplyDeps, { before, actions, messages, stored }: Change): Plan {
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
  const at = now();
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
  const updated_at = before === undefined ? at : Math.max(before.updated_at + 1, at);
  const changes = changesOf({ before, actions, after: { ...after, updated_at }, fresh, at });
  const written = {
    ...after,
    // Lists that are read by it never miss a change, even if a clock is set back.
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
function changesOf({ before, actions, after, fresh, at }: Steps): UntoldChange[] {
  const changes: UntoldChange[] = [];
  // Only what the fold does not determine: a register of a later action must not count in an earlier step.
  const { lead_id, created_at, updated_at, revision, recent_messages, untold } = after;
  let known = before;
  for (const one of [...actions].sort((a, b) => a.sequence - b.sequence)) {
    const now: Conversation = {
      ...foldConversation(known, one),
      ...{ lead_id, created_at, updated_at, revision, recent_messages, untold },
      sequence: changes.at(-1)?.sequence ?? after.sequence,
    };
    const messages = fresh.filter(({ first_sequence }) => first_sequence === one.sequence);
    const from = known && { ...known, sequence: now.sequence };
    changes.push(...untoldChanges({ before: from, after: now, messages, actor: actorOf(one), at }));
    known = now;
  }
  return changes;
}

function actorOf({ action: { by }, source_id }: Admitted): Actor {
  return by === undefined ? { type: 'source', id: source_id } : { type: by.type, id: by.id };
}

/** Superseded: later actions have set everything that this one would set. */
function outcomeOf(
  { sequence, action }: Admitted,
  after: Conversation,
  message: ConversationMessage | undefined,
): ApplyOutcome {
  if (after.first_sequence === sequence) return 'created';
  const { subject, language, contact, session, state, requested, accepted } = after;
  const set = [subject, language, contact, session, state, requested, accepted, message];
  const isSet = set.some((one) => one?.sequence === sequence);
  const asksNothing = action.kind === 'message' && message === undefined;
  return isSet || asksNothing ? 'updated' : 'superseded';
}
