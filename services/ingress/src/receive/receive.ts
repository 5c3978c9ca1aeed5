import type { IncomingHttpHeaders } from 'node:http';
import { REFUSALS, type Refusal } from '../answer/refusal.ts';
import type { BodyRoom } from './body-room.ts';
import type { Incoming, Received } from './incoming.ts';

/** A request that came whole, or is rejected for its headers or size. */
export type Arrived = Exclude<Received, { outcome: 'crowded_out' | 'aborted' }>;

/** The parts of a request that are read before its source is known. */
export type Readable = Pick<Incoming, 'method' | 'headers' | 'isRepeated' | 'awaitsContinue' | 'readBody'>;

/** The first checks (docs/errors.md): method, content type, size. */
export function receive(request: Readable, room: BodyRoom): Promise<Received> | Received {
  if (request.method !== 'POST') return refused(REFUSALS.method_not_allowed);
  if (!isPlainJson(request.headers)) return refused(REFUSALS.unsupported_media_type);
  return request.readBody(room);
}

function refused(refusal: Refusal): Received {
  return { outcome: 'refused', refusal };
}

/** Some clients and proxies join a header that was set twice: `application/json, application/json`. */
const JSON_TYPE = /^(?:application\/json\s*,\s*)*application\/json\s*(?:;|$)/i;

/**
 * Returns whether the headers announce plain JSON. Parameters such as charset are allowed (RFC 8259 gives them no meaning).
 * A compressed body is not unpacked: the signature covers the bytes as sent, and unpacking invites bombs.
 */
function isPlainJson({ 'content-type': type, 'content-encoding': encoding }: IncomingHttpHeaders): boolean {
  return (
    type !== undefined &&
    JSON_TYPE.test(type) &&
    (encoding === undefined || encoding.toLowerCase() === 'identity')
  );
}

/** The total size of all bodies that have arrived and have no response yet: 64 MiB. */
const WAITING_BODIES_BYTES = 64 * 1024 * 1024;

/** Bounds the memory of bodies while Redis does not respond. Thousands of the largest can arrive within a second. */
export interface WaitingBodies {
  /** Returns false, and counts nothing, if this many more bytes do not fit. */
  enter(bytes: number): boolean;
  leave(bytes: number): void;
}

export function createWaitingBodies(maxBytes: number = WAITING_BODIES_BYTES): WaitingBodies {
  let total = 0;
  return {
    enter(bytes) {
      if (total + bytes > maxBytes) return false;
      total += bytes;
      return true;
    },
    leave(bytes) {
      total -= bytes;
    },
  };
}
