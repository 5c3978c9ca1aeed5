import { limitedAddress } from '@sluice/admission/limited-address';
import type { SourceKind } from '@sluice/contract/delivery/source-kind';
import { newId } from '@sluice/credentials/ids';
import { REFUSALS } from '../answer/refusal.ts';
import type { Reply } from '../answer/reply.ts';
import { sendRefusal, sendReply } from '../answer/send-reply.ts';
import type { Incoming } from '../receive/incoming.ts';
import type { StartTrace } from '../trace/request-trace.ts';
import type { Webhook } from '../webhook.ts';

/** A response, for metrics and logs. */
export interface Answered {
  readonly requestId: string;
  readonly sourceId: string;
  readonly kind: SourceKind;
  readonly method: string;
  readonly reply: Reply;
  /** Without a wait for workers. */
  readonly durationMs: number;
  /** Undefined if the request is not traced. */
  readonly traceId: string | undefined;
}

export interface ExchangeDeps {
  readonly handle: Webhook;
  /** One call for each response. */
  readonly onAnswer: (answered: Answered) => void;
  readonly onError: (error: unknown, requestId: string) => void;
  /** Undefined if tracing is off. */
  readonly startTrace?: StartTrace | undefined;
}

/** Responds to one request to the endpoint of a source. Never rejects. */
export type Exchange = (http: Incoming, sourceId: string, kind: SourceKind) => Promise<void>;

/** The HTTP side of the webhook: an id for the request, and a response even if something breaks. */
export function createExchange({ handle, onAnswer, onError, startTrace }: ExchangeDeps): Exchange {
  return async (http, sourceId, kind) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    const trace = startTrace?.(http, { requestId, sourceId, kind });
    let reply: Reply | null;
    try {
      const address = () => limitedAddress(http.ip());
      reply = await handle({ sourceId, kind, requestId, address, http, trace });
      if (reply !== null) sendReply(http.send, requestId, reply);
    } catch (error) {
      onError(error, requestId);
      reply = { kind: 'refused', refusal: REFUSALS.internal_error };
      sendRefusal(http.send, requestId, reply.refusal);
    }
    if (reply === null) return trace?.end(null);
    // A separate try: an error of an observer must not cause a second response.
    try {
      const waitedMs = (reply.kind === 'accepted' && reply.waitedMs) || 0;
      const durationMs = performance.now() - startedAt - waitedMs;
      onAnswer({
        requestId,
        sourceId,
        kind,
        method: http.method,
        reply,
        durationMs,
        traceId: trace?.traceId,
      });
    } catch (error) {
      onError(error, requestId);
    }
    trace?.end(reply);
  };
}
