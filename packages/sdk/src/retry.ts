import { SluiceConnectionError } from './problem.ts';
import { retryAfterMs } from './retry-after.ts';

/** How requests are repeated. */
export interface RetryOptions {
  /** Attempts of one call, the first included. Default: 4. Up to 6 while an earlier attempt of the call is in progress. */
  readonly attempts?: number;
  /** The longest wait between two attempts. A longer Retry-After ends the call. Milliseconds. Default: 30,000. */
  readonly maxDelayMs?: number;
  /** The wait before the second attempt where the response names none. It doubles each time. Milliseconds. Default: 500. */
  readonly firstDelayMs?: number;
}

/**
 * An earlier attempt keeps its Idempotency-Key in progress for 30 s, if the process that served it died. The waits between
 * these attempts are 31 s together, with a Retry-After of one second.
 */
const ATTEMPTS_IN_PROGRESS = 6;

export interface SendOptions {
  readonly fetch: (request: Request) => Promise<Response>;
  /** How long one attempt may take. Milliseconds. */
  readonly timeoutMs: number;
  readonly retry: RetryOptions;
}

/** Statuses of a server, or of a proxy before it, that did not serve the request. */
const UNSERVED = [502, 503, 504];

/**
 * Sends a request, and repeats it where a repeat is safe: after 429, after 502, 503, 504 and network errors, and after a 409
 * that names a time to wait. The same bytes and headers are sent each time, so an Idempotency-Key stays the same.
 * @throws SluiceConnectionError if the last attempt got no response; the reason of the request's signal once that aborts.
 */
export async function sendWithRetries(
  request: Request,
  { fetch, timeoutMs, retry }: SendOptions,
): Promise<Response> {
  const { attempts = 4, maxDelayMs = 30_000, firstDelayMs = 500 } = retry;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(request, fetch, timeoutMs);
    request.signal.throwIfAborted();
    const inProgress = outcome.status === 'answered' && outcome.response.status === 409;
    const most = inProgress && attempts > 1 ? Math.max(attempts, ATTEMPTS_IN_PROGRESS) : attempts;
    const isLast = attempt >= most || !isRepeatable(request, outcome);
    if (isLast && outcome.status === 'failed')
      throw new SluiceConnectionError(new URL(request.url).origin, attempt, outcome.cause);
    const grown = 2 ** (attempt - 1);
    const delay = delayAfter(outcome, firstDelayMs * grown) * (inProgress ? grown : 1);
    if (outcome.status === 'answered' && (isLast || delay > maxDelayMs)) return outcome.response;
    if (outcome.status === 'answered') await outcome.response.body?.cancel();
    await wait(Math.min(delay, maxDelayMs), request.signal);
  }
}

type Outcome =
  | { readonly status: 'answered'; readonly response: Response }
  | { readonly status: 'failed'; readonly cause: unknown };

async function attemptOnce(
  request: Request,
  fetch: SendOptions['fetch'],
  timeoutMs: number,
): Promise<Outcome> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return {
      status: 'answered',
      response: await whole(await fetch(new Request(request.clone(), { signal, redirect: 'manual' }))),
    };
  } catch (cause) {
    return { status: 'failed', cause };
  }
}

/** With its body: a connection that breaks within it is a failed attempt. A stream has no end, so its reader waits for it. */
async function whole(response: Response): Promise<Response> {
  const { body, status, statusText, headers } = response;
  if (body === null || headers.get('content-type')?.startsWith('text/event-stream')) return response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

function isRepeatable(request: Request, outcome: Outcome): boolean {
  // If the first attempt was served and its response lost, the record has a newer ETag, and the repeat would get a 412.
  const mayBeServed = !request.headers.has('if-match') || request.headers.has('idempotency-key');
  if (outcome.status === 'failed') return mayBeServed;
  const { status, headers } = outcome.response;
  if (status === 429) return true;
  if (status === 409) return headers.has('retry-after');
  return UNSERVED.includes(status) && mayBeServed;
}

/** The wait before the next attempt: Retry-After, or the backoff with jitter. Milliseconds. */
function delayAfter(outcome: Outcome, backoffMs: number): number {
  const named = outcome.status === 'answered' ? retryAfterMs(outcome.response.headers) : undefined;
  return named ?? backoffMs * (0.5 + Math.random() / 2);
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
