import { hash } from 'node:crypto';

/**
 * The `_id` of a conversation is derived from its channel and the channel's id of it, so that one unique index serves both.
 * It has 128 bits of SHA-256, like the id of an event (event-id.ts).
 */
export function conversationId(channelId: string, externalId: string): string {
  return `conv_${derived(channelId, externalId)}`;
}

/** The `_id` of a message. The same message sent twice has the same id. */
export function messageId(conversation_id: string, externalId: string): string {
  return `cmsg_${derived(conversation_id, externalId)}`;
}

/** JSON separates the parts, whatever characters they have. */
function derived(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}
