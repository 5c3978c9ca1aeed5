import { once } from 'node:events';
import {
  type Agent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface RequestSettings {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Default: one connection for the request, so that the process can exit. */
  readonly agent?: Agent | false;
}

/**
 * Sends one request, and resolves to its response. Follows no redirect. Rejects without a response. fetch() is not used, because it
 * refuses ports that browsers block.
 */
export async function request(url: URL, settings: RequestSettings): Promise<IncomingMessage> {
  const { body, agent = false, headers, ...rest } = settings;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const outgoing = send(url, { ...rest, agent, headers: { ...headers, ...length } });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  // A connection that breaks later is reported by the reader of the response.
  outgoing.on('error', () => undefined);
  return incoming;
}
