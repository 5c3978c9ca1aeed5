import type { IncomingMessage } from 'node:http';
import { REFUSALS, type Refusal } from '../answer/refusal.ts';
import type { BodyRoom } from './body-room.ts';
import { isPlainJson } from './content-type.ts';
import { type Received, readRawBody } from './raw-body.ts';

/** What can be answered for what it is. */
export type Arrived = Exclude<Received, { outcome: 'crowded_out' | 'aborted' }>;

/** Checks 1 to 3 of the design's table: method, content type, size. */
export function receive(request: IncomingMessage, room: BodyRoom): Promise<Received> {
  if (request.method !== 'POST') return refused(REFUSALS.method_not_allowed);
  if (!isPlainJson(request.headers)) return refused(REFUSALS.unsupported_media_type);
  return readRawBody(request, room);
}

function refused(refusal: Refusal): Promise<Received> {
  return Promise.resolve({ outcome: 'refused', refusal });
}
