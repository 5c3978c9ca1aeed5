import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '../answer/refusal.ts';
import type { Send } from '../answer/reply.ts';
import type { BodyRoom } from './body-room.ts';

/** A request to the endpoint of a source, with the way to respond. It is the same for both readers (http/). */
export interface Incoming {
  readonly method: string;
  /** Node's form: names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Whether a header was sent on several lines, which `headers` has joined. Absent: no header was. */
  readonly isRepeated?: (name: string) => boolean;
  /** The client's address, behind the trusted proxies. */
  readonly ip: () => string | undefined;
  /** Whether the sender keeps its body until it gets `100 Continue`, which readBody sends. Absent: it does not. */
  readonly awaitsContinue?: () => boolean;
  /** The exact bytes of the body, once all of them have arrived. Called once. */
  readBody(room: BodyRoom): Promise<Received> | Received;
  readonly send: Send;
}

/** A form, or JSON by another name, such as `application/cloudevents+json`. */
export type OtherType = 'form' | 'json';

/** The result of reading a request, before its source is known. */
export type Received =
  /** `type`: what only some senders may send in place of `application/json`. */
  | { readonly outcome: 'body'; readonly bytes: Buffer; readonly type?: OtherType }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  /** The body arrived too slowly while others needed the room. */
  | { readonly outcome: 'crowded_out' }
  /** The sender closed the connection before the end of the body, so there is no response. */
  | { readonly outcome: 'aborted' };
