import { performance } from 'node:perf_hooks';
import type { Dispatcher } from 'undici';
import type { Answer, RequestErrorCode } from '../judge/judge-response.ts';
import { readRetryAfter } from '../judge/judge-response.ts';
import { requestErrorCode } from './request-error.ts';

/** A POST that is ready to leave. */
export interface Outgoing {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** The request may be written before this instant of performance.now(). */
  readonly leaseUntil: () => number;
  /** Called at an interval while the connection is not open. */
  readonly whileConnecting?: () => void;
  /** For the whole attempt, with lookup and connecting, so more than both together. Milliseconds. */
  readonly wholeMs?: number;
}

/** `too_late`: the lease ended before the request was written. Nothing has left. */
export type Sent = Answer | { readonly kind: 'too_late' };

/** The longest attempt. Milliseconds. */
export const WHOLE_MS = 15_000;
/** The longest time to open a connection, after the lookup of its name. Milliseconds. */
export const CONNECT_MS = 5_000;
const CONNECTING_MS = 250;
/** The status decides as soon as it is read. So a body that is longer, slower or broken changes nothing. */
const MAX_BODY_BYTES = 64 * 1024;
/** The longest time to read a body. Milliseconds. */
const BODY_MS = 2_000;
/** The part of a body that the log keeps. */
const KEPT_CHARACTERS = 2048;

class TooLateError extends Error {}
class TimeoutError extends Error {}
class EnoughReadError extends Error {}

/** Sends one request. Never rejects. The lease is looked at again once connected, before anything is written. */
export function send(agent: Dispatcher, outgoing: Outgoing): Promise<Sent> {
  return new Promise((resolve) => {
    let connecting: NodeJS.Timeout | undefined;
    const { handler, isWaiting, timeOut } = createExchange(outgoing, {
      onStart: () => clearInterval(connecting),
      end(sent) {
        clearTimeout(timer);
        clearInterval(connecting);
        resolve(sent);
      },
    });
    const { url, headers, body, wholeMs = WHOLE_MS, whileConnecting } = outgoing;
    const timer = setTimeout(timeOut, wholeMs);
    agent.dispatch(
      {
        ...{ origin: url.origin, path: `${url.pathname}${url.search}`, method: 'POST', headers, body },
        ...{ headersTimeout: wholeMs, bodyTimeout: wholeMs },
      },
      handler,
    );
    // On a kept connection the request has begun by now.
    if (whileConnecting !== undefined && isWaiting())
      connecting = setInterval(whileConnecting, CONNECTING_MS);
  });
}

interface Exchange {
  readonly handler: Dispatcher.DispatchHandler;
  /** Whether it waits for its connection. */
  isWaiting(): boolean;
  /** Ends the exchange because it lasts too long. */
  timeOut(): void;
}

interface Observer {
  /** The connection is open. */
  onStart(): void;
  /** Called once or more; only the first call counts. */
  end(sent: Sent): void;
}

/** Collects the response to one request. */
function createExchange(
  { leaseUntil }: Pick<Outgoing, 'leaseUntil'>,
  { onStart, end: onEnd }: Observer,
): Exchange {
  let controller: Dispatcher.DispatchController | undefined;
  let over: Error | undefined;
  let head: Head | undefined;
  let reading: NodeJS.Timeout | undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let ended = false;
  const end = (sent: Sent): void => {
    ended = true;
    clearTimeout(reading);
    onEnd(sent);
  };
  const stop = (reason: Error): void => {
    over ??= reason;
    controller?.abort(reason);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
      onStart();
      if (over !== undefined) started.abort(over);
      else if (performance.now() >= leaseUntil()) stop(new TooLateError());
    },
    onResponseStart(_controller, status, headers) {
      // An interim response decides nothing (RFC 9110, section 15.2).
      if (status < 200) return;
      head = { status, retryAfter: textOf(headers['retry-after']), location: textOf(headers.location) };
      reading = setTimeout(() => stop(new EnoughReadError()), BODY_MS);
    },
    onResponseData(_controller, chunk) {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else stop(new EnoughReadError());
    },
    onResponseEnd: () => end(response(head as Head, chunks)),
    onResponseError(_controller, cause) {
      const first = over ?? cause;
      if (head !== undefined) end(response(head, chunks));
      else if (first instanceof TooLateError) end({ kind: 'too_late' });
      else if (first instanceof TimeoutError) end(error('timeout'));
      else end(error(requestErrorCode(first)));
    },
  };
  return {
    handler,
    isWaiting: () => controller === undefined && !ended,
    timeOut() {
      stop(new TimeoutError());
      // Connecting takes less time, so a request without a controller waits for a connection that another one has.
      if (controller === undefined) end(error('no_connection'));
    },
  };
}

interface Head {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly location: string | null;
}

function response({ status, retryAfter, location }: Head, chunks: readonly Buffer[]): Answer {
  const body = Buffer.concat(chunks).toString('utf8').slice(0, KEPT_CHARACTERS);
  return { kind: 'response', status, retryAfterMs: readRetryAfter(retryAfter, Date.now()), location, body };
}

function error(code: RequestErrorCode): Answer {
  return { kind: 'error', code };
}

function textOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}
