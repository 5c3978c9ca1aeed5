import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { StreamedMessage } from '@sluice/contract/subscription/webhook-stream';
import { wrongUsage } from '../exit-codes.ts';
import { request } from '../http/request.ts';

/** The answer of the receiver on this machine to a message. */
export interface Forwarded {
  /** null: no response. */
  readonly status: number | null;
  readonly duration_ms: number;
  /** Why there is no response; null if there is one. */
  readonly error: string | null;
}

export type Forward = (message: StreamedMessage) => Promise<Forwarded>;

/** The timeout of a dispatcher. Milliseconds. */
const TIMEOUT_MS = 15_000;
/** The most connections to one receiver: the concurrency limit of a dispatcher. */
const AT_ONCE = 16;

/** Reads --forward-to: a URL, or host and port with a path. */
export function readForwardUrl(text: string): URL {
  const full = /^\d+$/.test(text)
    ? `http://localhost:${text}/`
    : text.includes('://')
      ? text
      : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw wrongUsage(`--forward-to: ${text} is not a URL. Example: http://localhost:3000/hook`);
}

/** Posts messages, byte for byte, to a receiver. Never rejects. */
export function createForward(url: URL): Forward {
  const settings = { keepAlive: true, maxSockets: AT_ONCE };
  const agent = url.protocol === 'https:' ? new HttpsAgent(settings) : new HttpAgent(settings);
  return async ({ headers, body }) => {
    const began = performance.now();
    const took = () => Math.round(performance.now() - began);
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await request(url, { method: 'POST', headers, body, signal, agent });
      const duration_ms = took();
      // The connection is used again once the body has been read.
      response.on('error', () => undefined).resume();
      return { status: response.statusCode ?? 0, duration_ms, error: null };
    } catch (error) {
      return { status: null, duration_ms: took(), error: describe(error) };
    }
  };
}

function describe(error: unknown): string {
  const { name, message, code = 'unknown error' } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} s`;
  return code === 'ECONNREFUSED' ? 'connection refused: nothing listens there' : message || code;
}
