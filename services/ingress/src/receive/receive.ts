import { REFUSALS, type Refusal } from '../answer/refusal.ts';
import type { BodyRoom } from './body-room.ts';
import { isPlainJson } from './content-type.ts';
import type { Incoming } from './incoming.ts';
import type { Received } from './received.ts';

/** What can be answered for what it is. */
export type Arrived = Exclude<Received, { outcome: 'crowded_out' | 'aborted' }>;

/** What is looked at before a source is known. */
export type Readable = Pick<Incoming, 'method' | 'headers' | 'readBody'>;

/** Checks 1 to 3 of the design's table: method, content type, size. */
export function receive(request: Readable, room: BodyRoom): Promise<Received> | Received {
  if (request.method !== 'POST') return refused(REFUSALS.method_not_allowed);
  if (!isPlainJson(request.headers)) return refused(REFUSALS.unsupported_media_type);
  return request.readBody(room);
}

function refused(refusal: Refusal): Received {
  return { outcome: 'refused', refusal };
}
