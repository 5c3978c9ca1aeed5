import { once } from 'node:events';
import {
  type Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';

export interface RequestSettings {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Keeps connections to a receiver near this machine, without a proxy. Default: one connection, which ends with the request. */
  readonly agent?: Agent;
}

/** The response. The stream is its body. */
export interface IncomingResponse extends Readable {
  readonly statusCode?: number | undefined;
  readonly statusMessage?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Sends one request, and resolves to its response. Follows no redirect. Rejects without a response. fetch() is not used, because it
 * refuses ports that browsers block. HTTPS_PROXY and NO_PROXY apply to https, as for other programs.
 */
export async function request(url: URL, settings: RequestSettings): Promise<IncomingResponse> {
  const { body, agent, headers, ...rest } = settings;
  const proxy = process.env.https_proxy || process.env.HTTPS_PROXY;
  if (url.protocol === 'https:' && proxy && agent === undefined) {
    const { requestByProxy } = await import('./request-by-proxy.ts');
    return requestByProxy(url, { ...rest, headers, body });
  }
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const outgoing = send(url, { ...rest, agent: agent ?? false, headers: { ...headers, ...length } });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  // A connection that breaks later is reported by the reader of the response.
  outgoing.on('error', () => undefined);
  return incoming;
}
