import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../answer/reply.ts';
import { waitSecondsOf } from './prefer-wait.ts';
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
      return { ...withPassed(reply, told.passed === true), result, waitedMs };
    },
    cancel: expected.cancel,
  };
}

/** The longest wait of a duplicate that did not ask for it. An idle worker applies an action within milliseconds. */
const PASSED_WITHIN_MS = 300;

/**
 * Asks the workers whether a newer request was about the event of a duplicate. The admission knows only that its source has
 * sent others. Without their answer the reply says that there may be one.
 */
export async function awaitPassed(
  { results }: WaitDeps,
  { requestId }: Pick<Waitable, 'requestId'>,
  reply: Accepted,
): Promise<Accepted> {
  const startedAt = performance.now();
  const told = await results.expect(requestId, 0)?.within(PASSED_WITHIN_MS);
  const waitedMs = performance.now() - startedAt;
  return told === undefined
    ? { ...reply, waitedMs }
    : { ...withPassed(reply, told.passed === true), waitedMs };
}

/** A worker has not seen a newer request that another worker is still applying. Then there may be one. */
function withPassed(reply: Accepted, passed: boolean): Accepted {
  if (passed) return { ...reply, passed: 'yes' };
  const { passed: _, ...others } = reply;
  return reply.justPassed === true ? reply : others;
}
