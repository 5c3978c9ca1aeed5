import { MESSAGE_AUTHORS } from '@sluice/contract/conversation';
import { CONVERSATION_ACTION_KINDS } from '@sluice/contract/conversation-action';
import { fieldsOf, isId, isInstant, isText, isTextOrNull } from './untrusted-fields.ts';

const isAbsentOr = (check: (value: unknown) => boolean, value: unknown) =>
  value === undefined || check(value);
const isOneOf = (values: readonly unknown[], value: unknown) => values.includes(value);

/** Why this version can't read a value as an action of a channel; null if it can. */
export function faultOfConversation(value: unknown): string | null {
  const { kind, conversation, message, agent_name, by } = fieldsOf(value);
  if (!isOneOf(CONVERSATION_ACTION_KINDS, kind)) return `This version knows no action "${String(kind)}".`;
  if (!isConversation(conversation)) return "This version can't read the conversation of the action.";
  if (!isAbsentOr(isMessage, message) || (kind === 'message' && message === undefined))
    return "This version can't read the message of the action.";
  return isAbsentOr(isText, agent_name) && isAbsentOr(isAgent, by)
    ? null
    : "This version can't read who asked for the action.";
}

function isConversation(value: unknown): boolean {
  const { external_id, subject, language, contact, session } = fieldsOf(value);
  const texts = [subject, language].every((text) => isAbsentOr(isText, text));
  return isId(external_id) && texts && isAbsentOr(isContact, contact) && isAbsentOr(isSession, session);
}

function isContact(value: unknown): boolean {
  const { name, email, phone } = fieldsOf(value);
  return [name, email, phone].every((text) => isAbsentOr(isText, text));
}

function isSession(value: unknown): boolean {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && isText(pair[0]));
}

function isMessage(value: unknown): boolean {
  const { external_id, author, author_name, text, sent_at } = fieldsOf(value);
  const required = isId(external_id) && isOneOf(MESSAGE_AUTHORS, author) && isText(text);
  return required && isAbsentOr(isText, author_name) && isAbsentOr(isInstant, sent_at);
}

function isAgent(value: unknown): boolean {
  const { type, id, name } = fieldsOf(value);
  return isOneOf(['source', 'api_key', 'member'], type) && isId(id) && isTextOrNull(name);
}
