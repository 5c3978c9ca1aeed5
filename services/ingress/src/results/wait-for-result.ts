import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../answer/reply.ts';
import type { Results } from './results.ts';

type Accepted = Extract<Reply, { kind: 'accepted' }>;

interface WaitDeps {
  readonly results: Pick<Results, 'expect'>;
}

interface Waitable {
  readonly requestId: string;
  readonly http: { readonly headers: IncomingHttpHeaders };
}

/** The wait of a sender for the result of its request (`Prefer: wait=N`). */
export interface ResultWait {
  /** This ingress, for the job of the request. */
  readonly resultsTo: string;
  /** Adds the result to the reply, if it comes in time. */
  result(reply: Accepted): Promise<Accepted>;
  cancel(): void;
}

/** Undefined if the sender does not wait, as nearly all, or if no result can come. `bytes`: the length of its body. */
export function beginWait(
  { results }: WaitDeps,
  { http, requestId }: Waitable,
  bytes: number,
): ResultWait | undefined {
  const waitSeconds = waitSecondsOf(http.headers.prefer);
  const expected = waitSeconds === 0 ? undefined : results.expect(requestId, bytes);
  if (expected === undefined) return undefined;
  return {
    resultsTo: expected.to,
    async result(reply) {
      const startedAt = performance.now();
      const told = await expected.within(waitSeconds * 1000);
      const waitedMs = performance.now() - startedAt;
      if (told === undefined) return { ...reply, waitedMs };
      const { outcome, event_id, conversation_id } = told;
      const result = { outcome, event_id, conversation_id, waitSeconds };
      return { ...reply, result, waitedMs };
    },
    cancel: expected.cancel,
  };
}

/** The longest wait that a sender may ask for. Seconds. */
const MAX_WAIT_SECONDS = 5;

/** Longer headers are ignored. */
const MAX_LENGTH = 200;

/** Quoted texts and characters up to the next comma. An open quote reaches to the end, so no character is read twice. */
const PREFERENCE = /(?:"(?:[^"\\]|\\.)*"?|[^,"])+/g;
const WAIT = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;

/**
 * How long the sender waits for the result, by `Prefer: wait=N` (RFC 7240), in whole seconds and at most 5. 0 if it does not
 * wait. The first preference of a name counts, and unknown or malformed ones are ignored.
 */
export function waitSecondsOf(prefer: string | readonly string[] | undefined): number {
  if (typeof prefer !== 'string' || prefer.length > MAX_LENGTH) return 0;
  for (const [preference] of prefer.matchAll(PREFERENCE)) {
    const seconds = WAIT.exec(preference)?.[1];
    if (seconds !== undefined) return Math.min(Number(seconds), MAX_WAIT_SECONDS);
  }
  return 0;
}
