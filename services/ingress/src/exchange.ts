import type { ServerResponse } from 'node:http';
import { limitedAddress } from '@sluice/admission/limited-address';
import { newId } from '@sluice/credentials/ids';
import type { Request } from 'express';
import { REFUSALS } from './answer/refusal.ts';
import type { Reply } from './answer/reply.ts';
import { sendRefusal, sendReply } from './answer/send-reply.ts';
import type { StartTrace } from './trace/request-trace.ts';
import type { WebhookRequest } from './webhook.ts';

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
export type Exchange = (request: Request, response: ServerResponse, sourceId: string) => Promise<void>;

/** The HTTP side of the webhook: an id for the request, its answer, and an answer also where something breaks. */
export function createExchange({ handle, onAnswer, onError, startTrace }: ExchangeDeps): Exchange {
  return async (request, response, sourceId) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    const trace = startTrace?.(request, { requestId, sourceId });
    const answered = (reply: Reply) => {
      const method = request.method as string;
      const durationMs = performance.now() - startedAt;
      onAnswer({ requestId, sourceId, method, reply, durationMs, traceId: trace?.traceId });
      trace?.end(reply);
    };
    try {
      const address = () => limitedAddress(request.ip);
      const reply = await handle({ sourceId, requestId, address, http: request, trace });
      if (reply === null) return trace?.end(null);
      sendReply(response, requestId, reply);
      answered(reply);
    } catch (error) {
      onError(error, requestId);
      sendRefusal(response, requestId, REFUSALS.internal_error);
      answered({ kind: 'refused', refusal: REFUSALS.internal_error });
    }
  };
}
