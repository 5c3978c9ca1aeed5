import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '@sluice/contract/account/audit-actions';
import type { ConversationActionKind } from '@sluice/contract/conversation/conversation-action';
import type { PendingChange } from '@sluice/contract/message/change';
import type { AuditEntry, AuditLog } from '@sluice/store/audit/audit-log';
import type { Conversation, ConversationMessage } from '@sluice/store/conversations/conversation-document';
import type { ConversationMessages, MessageWrite } from '@sluice/store/conversations/conversation-messages';
import type { Conversations } from '@sluice/store/conversations/conversations';
import { bytesOfChanges } from '@sluice/store/pending/pending-list';
import { type Admitted, conversationIdOf, foldMessage, messageOf } from './fold-conversation.ts';
import { type Change, planChange } from './plan-change.ts';

export interface ApplyDeps {
  readonly conversations: Pick<Conversations, 'loadConversations' | 'writeConversation'>;
  readonly conversationMessages: Pick<ConversationMessages, 'loadMessages' | 'writeMessages'>;
  readonly auditLog: Pick<AuditLog, 'insertEntries'>;
  /** Is given the pending changes of a conversation after each write. Must not throw. */
  readonly tell: (conversation: Conversation) => void;
  /** Is given a conversation that waits for its lead, after each write. Must not throw. */
  readonly linkSoon: (conversationId: string) => void;
  /** The wait after this many lost races (from 1). It grows and is random, so that racing writers don't stay in step. */
  readonly backoff: (round: number) => Promise<void>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/**
 * The effect of an action. Applying it again has the same outcome. `waits`: too many changes of its conversation are not published
 * yet, so it had no effect. Apply it again later.
 */
export type ApplyOutcome = 'created' | 'updated' | 'superseded' | 'waits';

export interface Applied {
  readonly outcome: ApplyOutcome;
  readonly conversation: Conversation;
  /** The message of the action as stored; undefined if it brought none. */
  readonly message: ConversationMessage | undefined;
  /** The lead of the conversation was erased after the action was accepted, so it had no effect. */
  readonly isErased?: true;
}

/** Actions of one write. They bring fewer messages than a conversation remembers (plan-change.ts). */
const AT_ONCE = 50;

/**
 * Applies actions, and returns one result for each, in their order. Idempotent: actions that were applied before change
 * nothing. Throws if the store is unavailable; then apply all of them again.
 */
export async function applyConversations(deps: ApplyDeps, admitted: readonly Admitted[]): Promise<Applied[]> {
  const results = new Map<Admitted, Applied>();
  await Promise.all(
    Array.from(groupsOf(admitted), ([id, actions]) => applyGroup(deps, id, actions, results)),
  );
  const outcomeIn = (one: Admitted) => results.get(one)?.outcome;
  await deps.auditLog.insertEntries(auditOfActions(admitted.filter((one) => outcomeIn(one) !== 'waits')));
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

type Results = Map<Admitted, Applied>;

/** Applies the actions of one conversation. Those behind one that waits wait too, so that their changes are published in order. */
async function applyGroup(
  deps: ApplyDeps,
  id: string,
  actions: readonly Admitted[],
  results: Results,
): Promise<void> {
  const ordered = actions.length > AT_ONCE ? actions.toSorted((a, b) => a.sequence - b.sequence) : actions;
  for (let from = 0; from < ordered.length; from += AT_ONCE) {
    const full = await applySome(deps, id, ordered.slice(from, from + AT_ONCE), results);
    if (full === undefined) continue;
    for (const one of ordered.slice(from)) if (!results.has(one)) results.set(one, waiting(full));
    return;
  }
}

/** Returns the conversation if it is full. */
async function applySome(
  deps: ApplyDeps,
  id: string,
  actions: readonly Admitted[],
  results: Results,
): Promise<Conversation | undefined> {
  for (let round = 1; ; round++) {
    const tried = await applyOnce(deps, id, actions, results);
    switch (tried.status) {
      case 'applied':
        return undefined;
      case 'full':
        return tried.conversation;
      case 'too_much': {
        const half = Math.ceil(actions.length / 2);
        const full = await applySome(deps, id, actions.slice(0, half), results);
        return full ?? applySome(deps, id, actions.slice(half), results);
      }
      case 'lost_race':
        await deps.backoff(round);
    }
  }
}

function waiting(conversation: Conversation): Applied {
  return { outcome: 'waits', conversation, message: undefined };
}

/** The result of one try to apply actions of one conversation. */
type Tried =
  | { readonly status: 'applied' }
  /** Another writer was first. */
  | { readonly status: 'lost_race' }
  /** Too many of its changes are not published yet. */
  | { readonly status: 'full'; readonly conversation: Conversation }
  /** The changes of these actions are too much for one write. */
  | { readonly status: 'too_much' };

const LOST_RACE: Tried = { status: 'lost_race' };

async function applyOnce(
  deps: ApplyDeps,
  id: string,
  actions: readonly Admitted[],
  results: Results,
): Promise<Tried> {
  const ids = new Set(actions.flatMap((one) => messageOf(one)?.message_id ?? []));
  const [loaded, stored] = await Promise.all([
    deps.conversations.loadConversations([id]),
    deps.conversationMessages.loadMessages([...ids]),
  ]);
  const before = loaded.get(id);
  const left = withoutErased(before, actions, results);
  return left.length === 0
    ? { status: 'applied' }
    : applyLoaded(deps, { before, stored, actions: left }, results);
}

/** Erased is what was accepted before the erasure, also if it waited in a queue. */
function withoutErased(
  before: Conversation | undefined,
  actions: readonly Admitted[],
  results: Results,
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
  results: Results,
): Promise<Tried> {
  const sent = actions.map(messageOf);
  const messages = new Map<string, ConversationMessage>();
  for (const message of sent) {
    if (message === undefined) continue;
    const known = messages.get(message.message_id) ?? stored.get(message.message_id);
    messages.set(message.message_id, foldMessage(known, message));
  }
  const plan = planChange({ before, actions, messages: [...messages.values()], stored }, deps.now());
  if (plan.changes !== undefined && plan.changes.length > 0) {
    if (before !== undefined && isFull(before.untold)) return { status: 'full', conversation: before };
    if (actions.length > 1 && isTooMuchAtOnce(plan.changes)) return { status: 'too_much' };
  }
  // First the conversation with its pending changes: if this process dies in between, a retry finds the message missing.
  const after =
    plan.changes === undefined
      ? plan.after
      : await deps.conversations.writeConversation(plan.after, plan.changes);
  if (after === undefined) return LOST_RACE;
  const writes = [...messages.values()].flatMap((message): MessageWrite[] => {
    const known = stored.get(message.message_id);
    return isDeepStrictEqual(known, message) ? [] : [{ message, before: known }];
  });
  if ((await deps.conversationMessages.writeMessages(writes)) === 'lost_race') return LOST_RACE;
  if (after.untold.length > 0) deps.tell(after);
  if (after.link_due_at !== undefined) deps.linkSoon(after.conversation_id);
  actions.forEach((one, index) => {
    const message = sent[index] && messages.get(sent[index].message_id);
    results.set(one, { outcome: outcomeOf(one, after, message), conversation: after, message });
  });
  return { status: 'applied' };
}

/** Superseded: later actions have set everything that this one would set. */
function outcomeOf(
  { sequence, action }: Admitted,
  after: Conversation,
  message: ConversationMessage | undefined,
): Exclude<ApplyOutcome, 'waits'> {
  if (after.first_sequence === sequence) return 'created';
  const { subject, language, contact, session, state, requested, accepted } = after;
  const set = [subject, language, contact, session, state, requested, accepted, message];
  const isSet = set.some((one) => one?.sequence === sequence);
  const asksNothing = action.kind === 'message' && message === undefined;
  return isSet || asksNothing ? 'updated' : 'superseded';
}

const ACTIONS: Partial<Record<ConversationActionKind, AuditAction>> = {
  accept_handoff: 'conversation.accepted',
  end_handoff: 'conversation.handoff_ended',
  message: 'conversation.replied',
};

/**
 * The audit entries of actions that name their doer. They have the same ids each time, and a repeated reply has that of the first. So
 * the API server and the worker may both write them.
 */
function auditOfActions(admitted: readonly Admitted[]): AuditEntry[] {
  return admitted.flatMap((one) => {
    const { account_id, sequence, received_at: at } = one;
    const { kind, doer } = one.action;
    const action = ACTIONS[kind];
    if (doer === undefined || action === undefined) return [];
    // The conversation by its id, without names and texts of people: an erasure leaves nothing here.
    const id = conversationIdOf(one);
    const audit_id = `aud_${messageOf(one)?.message_id ?? `${id}/${sequence}`}`;
    return { audit_id, account_id, at, action, ...doer, target: { id, name: id }, detail: null };
  });
}

/**
 * A document of MongoDB has 16 MiB. What a conversation waits to tell gets half of it, and one write adds half of the rest. A
 * change of the largest conversation takes less than half a MiB. Bytes of JSON.
 */
const MOST_PENDING = 8 * 2 ** 20;
const MOST_OF_A_WRITE = 4 * 2 ** 20;
/** Fewer changes are never too much, so that the usual conversation is not measured. One action makes fewer. */
const UNMEASURED = 8;

/** Whether a conversation must publish some of its changes before it gets a further one. */
function isFull(untold: readonly PendingChange[]): boolean {
  return exceeds(untold, MOST_PENDING);
}

/** Whether the changes of several actions are too much for one write. Those of a single action never are. */
function isTooMuchAtOnce(changes: readonly PendingChange[]): boolean {
  return exceeds(changes, MOST_OF_A_WRITE);
}

function exceeds(changes: readonly PendingChange[], most: number): boolean {
  return changes.length >= UNMEASURED && bytesOfChanges(changes) >= most;
}
