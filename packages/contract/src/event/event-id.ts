import { hash } from 'node:crypto';
import type { Action } from './action.ts';
import type { EventIdentity } from './event-fields.ts';

/**
 * The `_id` of an event is derived from its identity, so that one unique index serves both. JSON separates the parts, whatever
 * characters they have. The id has 128 bits of SHA-256. The hash includes the source id, so a sender could at most collide
 * with an event of the same source.
 */
export function eventId(sourceId: string, identity: EventIdentity): string {
  return idOf([sourceId, identity.title, identity.starts_at, identity.location]);
}

/** The id of the event that an action addresses. That of an `external_id` stays when the event is renamed or moved. */
export function eventIdOf(
  sourceId: string,
  { external_id, identity }: Pick<Action, 'external_id' | 'identity'>,
) {
  return external_id === undefined ? eventId(sourceId, identity) : idOf(['x', sourceId, external_id]);
}

function idOf(parts: readonly (string | number)[]): string {
  return `evt_${hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32)}`;
}
