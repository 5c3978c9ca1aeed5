import { hash } from 'node:crypto';

/**
 * The id of a change. Every process derives the same one, so a change that is published twice is stored once. It has 128 bits of
 * SHA-256, like the id of an event (event-id.ts).
 */
export function changeId(recordId: string, sequence: number, kind: string): string {
  return derived([recordId, sequence, kind]);
}

/**
 * The id of a message: one change for one subscription. It is the same at each attempt and each redelivery, so receivers can
 * dedupe by it.
 */
export function messageId(ofChange: string, subscriptionId: string): string {
  return `msg_${derived([ofChange, subscriptionId])}`;
}

/** JSON separates the parts, whatever characters they have. */
function derived(parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}
