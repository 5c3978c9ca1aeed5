import { expectAnswer } from './expect-answer.ts';
import { expectHttpUrl } from './http-url.ts';
import { problemOf } from './problem.ts';
import { type RetryOptions, sendWithRetries } from './retry.ts';
import { signEvent } from './sign-event.ts';
import type { EventAccepted, EventAction } from './types.ts';

export interface SendEventOptions {
  /** The endpoint URL of the source, as the dashboard shows it. */
  readonly url: string;
  /** The signing secret of the source. */
  readonly secret: string;
  /** How long the response may wait for the event to be applied. Seconds, 1 to 5. Default: it does not wait. */
  readonly waitSeconds?: number;
  readonly signal?: AbortSignal;
  /** How long one attempt may take. Milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Signs an action on an event and sends it. Every attempt sends the same bytes, timestamp and signature, which has one effect.
 * @throws SluiceProblem if the source rejects it, or the server redirects; SluiceConnectionError if it could not be reached; TypeError if the URL or the
 * secret is missing.
 */
export async function sendEvent(action: EventAction, options: SendEventOptions): Promise<EventAccepted> {
  const { url, secret, waitSeconds, signal, timeoutMs = 30_000, retry = {} } = options;
  expectHttpUrl('url', url, 'https://events.example.com/api/v1/events/webhook/src_1');
  const { body, headers } = await signEvent(action, { secret });
  const request = new Request(url, {
    method: 'POST',
    // TypeScript before 5.7 knows no Uint8Array of an ArrayBuffer, so the public type cannot name it.
    body: body as NonNullable<RequestInit['body']>,
    headers: { ...headers, ...(waitSeconds !== undefined && { Prefer: `wait=${waitSeconds}` }) },
    ...(signal !== undefined && { signal }),
  });
  const fetch = options.fetch ?? ((sent: Request) => globalThis.fetch(sent));
  const response = await expectAnswer(
    request,
    await sendWithRetries(request, { fetch, timeoutMs, retry }),
    'url',
  );
  const answer = await response.json().catch(() => undefined);
  if (!response.ok) throw problemOf(answer, response);
  return answer as EventAccepted;
}
