import type { IncomingMessage } from 'node:http';
import { REFUSALS, type Refusal } from '../answer/refusal.ts';
import type { BodyRoom } from './body-room.ts';
import { isPlainJson } from './content-type.ts';
import { readRawBody } from './raw-body.ts';

/** What came in, as far as it can be told without knowing the source. */
export type Received =
  | { readonly outcome: 'body'; readonly bytes: Buffer }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | { readonly outcome: 'crowded_out' }
  | { readonly outcome: 'aborted' };

/** What can be answered for what it is. */
export type Arrived = Exclude<Received, { outcome: 'crowded_out' | 'aborted' }>;

/** Checks 1 to 3 of the design's table: method, content type, size. */
export async function receive(request: IncomingMessage, room: BodyRoom): Promise<Received> {
  if (request.method !== 'POST') return { outcome: 'refused', refusal: REFUSALS.method_not_allowed };
  if (!isPlainJson(request.headers)) return { outcome: 'refused', refusal: REFUSALS.unsupported_media_type };
  const body = await readRawBody(request, room);
  switch (body.outcome) {
    case 'complete':
      return { outcome: 'body', bytes: body.bytes };
    case 'too_large':
      return { outcome: 'refused', refusal: REFUSALS.payload_too_large };
    case 'crowded_out':
    case 'aborted':
      return body;
  }
}
