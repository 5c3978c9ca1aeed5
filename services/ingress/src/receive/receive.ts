import type { IncomingHttpHeaders } from 'node:http';
import { isForm } from '@sluice/signature/mapping/read-form';
import { REFUSALS, type Refusal } from '../answer/refusal.ts';
import type { BodyRoom } from './body-room.ts';
import type { Incoming, OtherType, Received } from './incoming.ts';

/** A request that came whole, or is rejected for its headers or size. */
export type Arrived = Exclude<Received, { outcome: 'crowded_out' | 'aborted' }>;

/** The parts of a request that are read before its source is known. */
export type Readable = Pick<Incoming, 'method' | 'headers' | 'isRepeated' | 'awaitsContinue' | 'readBody'>;

/** The first checks (docs/errors.md): method, content type, size. */
export function receive(request: Readable, room: BodyRoom): Promise<Received> | Received {
  if (request.method !== 'POST') return refused(REFUSALS.method_not_allowed);
  if (!isPlain(request.headers)) return refused(REFUSALS.unsupported_media_type);
  if (JSON_TYPE.test(request.headers['content-type'] ?? '')) return request.readBody(room);
  const type = otherType(request.headers['content-type']);
  return type === undefined ? refused(REFUSALS.unsupported_media_type) : readOther(request, room, type);
}

/** The source, which is not known yet, decides whether its sender may send this. */
async function readOther(request: Readable, room: BodyRoom, type: OtherType): Promise<Received> {
  const received = await request.readBody(room);
  return received.outcome === 'body' ? { ...received, type } : received;
}

function otherType(type: string | undefined): OtherType | undefined {
  if (isForm(type)) return 'form';
  return OTHER_JSON_TYPE.test(type ?? '') ? 'json' : undefined;
}

function refused(refusal: Refusal): Received {
  return { outcome: 'refused', refusal };
}

/**
 * Parameters such as charset are allowed (RFC 8259 gives them no meaning). Some clients and proxies join a header that was set twice:
 * `application/json, application/json`.
 */
const JSON_TYPE = /^(?:application\/json\s*,\s*)*application\/json\s*(?:;|$)/i;

/** RFC 6839: JSON by another name. */
const OTHER_JSON_TYPE = /^application\/[\w.-]+\+json\s*(?:;|$)/i;

/** A compressed body is not unpacked: the signature covers the bytes as sent, and unpacking invites bombs. */
function isPlain({ 'content-encoding': encoding }: IncomingHttpHeaders): boolean {
  return encoding === undefined || encoding.toLowerCase() === 'identity';
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
