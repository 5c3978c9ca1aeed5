import { limitedAddress } from '@sluice/admission/limited-address';
import { newId } from '@sluice/credentials/ids';
import { REFUSALS } from '../answer/refusal.ts';
import type { Reply } from '../answer/reply.ts';
import { sendRefusal, sendReply } from '../answer/send-reply.ts';
import type { Incoming } from '../receive/incoming.ts';
import type { StartTrace } from '../trace/request-trace.ts';
import type { WebhookRequest } from '../webhook.ts';

/** What was answered to a request, for metrics and logs. */
export interface Answered {
  readonly requestId: string;
  readonly sourceId: string;
  readonly method: string;
  readonly reply: Reply;
  readonly durationMs: number;
  /** Undefined where the request is not traced. */
  readonly traceId: string | undefined;
}

export interface ExchangeDeps {
  readonly handle: (request: WebhookRequest) => Promise<Reply | null>;
  /** One call for each answered request. */
  readonly onAnswer: (answered: Answered) => void;
  readonly onError: (error: unknown, requestId: string) => void;
  /** Undefined where nothing is traced. */
  readonly startTrace?: StartTrace | undefined;
}

/** Answers one request to the endpoint of a source. Never rejects. */
export type Exchange = (http: Incoming, sourceId: string) => Promise<void>;

/** The HTTP side of the webhook: an id for the request, its answer, and an answer also where something breaks. */
export function createExchange({ handle, onAnswer, onError, startTrace }: ExchangeDeps): Exchange {
  return async (http, sourceId) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    const trace = startTrace?.(http, { requestId, sourceId });
    let reply: Reply | null;
    try {
      const address = () => limitedAddress(http.ip());
      reply = await handle({ sourceId, requestId, address, http, trace });
      if (reply !== null) sendReply(http.send, requestId, reply);
    } catch (error) {
      onError(error, requestId);
      reply = { kind: 'refused', refusal: REFUSALS.internal_error };
      sendRefusal(http.send, requestId, reply.refusal);
    }
    if (reply === null) return trace?.end(null);
    // By itself: whoever was answered is not answered again, whatever becomes of the telling.
    try {
      const durationMs = performance.now() - startedAt;
      onAnswer({ requestId, sourceId, method: http.method, reply, durationMs, traceId: trace?.traceId });
    } catch (error) {
      onError(error, requestId);
    }
    trace?.end(reply);
  };
}
