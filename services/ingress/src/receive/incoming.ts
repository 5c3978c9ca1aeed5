import type { IncomingHttpHeaders } from 'node:http';
import type { Send } from '../answer/send.ts';
import type { BodyRoom } from './body-room.ts';
import type { Received } from './received.ts';

/** A request to the endpoint of a source and the way back to its sender, whoever read it: Node's HTTP server or plain/. */
export interface Incoming {
  readonly method: string;
  /** As Node has them: names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The client's address, behind the proxies that are believed. */
  readonly ip: () => string | undefined;
  /** The exact bytes of the body, once all of them have come. Called once. */
  readBody(room: BodyRoom): Promise<Received> | Received;
  readonly send: Send;
}
