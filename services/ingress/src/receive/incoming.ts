import type { IncomingHttpHeaders } from 'node:http';
import type { Received } from '../http/raw-body.ts';
import type { BodyRoom } from './body-room.ts';

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

/** Writes an answer, once. The payload is JSON, its length is in the headers; nobody is told where the sender has gone. */
export type Send = (status: number, headers: AnswerHeaders, payload: string) => void;

/** Made by us alone, of numbers and fixed texts: nothing that a sender wrote comes into them. */
export type AnswerHeaders = Record<string, string | number>;
