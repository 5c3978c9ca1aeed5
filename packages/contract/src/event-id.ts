import { hash } from 'node:crypto';
import type { EventIdentity } from './event-fields.ts';

/**
 * The `_id` of an event: derived from what identifies it, so that one unique index serves both.
 * JSON keeps the parts apart whatever characters they hold. 128 bits of SHA-256: a sender could at most
 * collide with an event of its own source, as the source id is part of what is hashed.
 */
export function eventId(sourceId: string, identity: EventIdentity): string {
  const parts = JSON.stringify([sourceId, identity.title, identity.starts_at, identity.location]);
  return `evt_${hash('sha256', parts, 'hex').slice(0, 32)}`;
}
