import { MESSAGE_AUTHORS } from '@sluice/contract/conversation/conversation';
import {
  CONVERSATION_ACTION_KINDS,
  type ConversationActionKind,
} from '@sluice/contract/conversation/conversation-action';
import { fieldsOf, isId, isInstant, isText } from './untrusted-fields.ts';

/** Returns whether a value is the kind of a conversation's action. */
export function isConversationKind(value: unknown): value is ConversationActionKind {
  return (CONVERSATION_ACTION_KINDS as readonly unknown[]).includes(value);
}

/** Returns whether a value has the form of an action of a conversation, and not of an event. */
export function isOfConversation(action: unknown): boolean {
  return fieldsOf(action).conversation !== undefined;
}

/** Why this version can't read a value as an action of a conversation; null if it can. */
export function faultOfConversation(value: unknown): string | null {
  const { kind, conversation, message, agent_name, by, doer } = fieldsOf(value);
  if (!isConversationKind(kind)) return `This version knows no action "${String(kind)}" of a channel.`;
  if (!isConversation(conversation)) return 'The action has no valid conversation.';
  if (kind === 'message' && message === undefined) return 'The action has no message.';
  if (message !== undefined && !isMessage(message)) return 'The action has no valid message.';
  if (!isDoer(doer)) return 'The action has no valid doer.';
  return isAbsentOrText(agent_name) && isAgent(by) ? null : 'The action has no valid agent.';
}

function isConversation(value: unknown): boolean {
  const { external_id, subject, language, contact, session } = fieldsOf(value);
  const texts = [subject, language, ...Object.values(fieldsOf(contact))].every(isAbsentOrText);
  return isId(external_id) && texts && (session === undefined || isSession(session));
}

function isSession(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (pair: unknown) => Array.isArray(pair) && pair.length === 2 && isText(pair[0]) && isPlain(pair[1]),
    )
  );
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isMessage(value: unknown): boolean {
  const { external_id, author, author_name, text, sent_at, reply } = fieldsOf(value);
  const known = (MESSAGE_AUTHORS as readonly unknown[]).includes(author);
  const optional = isAbsentOrText(author_name) && (sent_at === undefined || isInstant(sent_at));
  return isId(external_id) && known && isText(text) && optional && (reply === undefined || reply === true);
}

function isAgent(value: unknown): boolean {
  if (value === undefined) return true;
  const { type, id, name } = fieldsOf(value);
  return isText(type) && isId(id) && (name === null || isText(name));
}

function isDoer(value: unknown): boolean {
  if (value === undefined) return true;
  const { actor, address } = fieldsOf(value);
  const { user_id, email, key_id, name } = fieldsOf(actor);
  return isText(address) && ((isId(user_id) && isText(email)) || (isId(key_id) && isText(name)));
}

function isAbsentOrText(value: unknown): boolean {
  return value === undefined || isText(value);
}
