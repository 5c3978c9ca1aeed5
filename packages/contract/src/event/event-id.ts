import { hash } from 'node:crypto';
import type { EventIdentity } from './event-fields.ts';

/**
 * The `_id` of an event is derived from its identity, so that one unique index serves both. JSON separates the parts, whatever
 * characters they have. The id has 128 bits of SHA-256. The hash includes the source id, so a sender could at most collide
 * with an event of the same source.
 */
export function eventId(sourceId: string, identity: EventIdentity): string {
  const parts = JSON.stringify([sourceId, identity.title, identity.starts_at, identity.location]);
  return `evt_${hash('sha256', parts, 'hex').slice(0, 32)}`;
}
