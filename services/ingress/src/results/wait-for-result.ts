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
      return { ...reply, result, waitedMs };
    },
    cancel: expected.cancel,
  };
}
