import type { ServerResponse } from 'node:http';
import { newId } from '@sluice/credentials/ids';
import type { Request } from 'express';
import { REFUSALS } from './answer/refusal.ts';
import type { Reply } from './answer/reply.ts';
import { sendRefusal, sendReply } from './answer/send-reply.ts';
import { limitedAddress } from './verify/client-address.ts';
import type { WebhookRequest } from './webhook.ts';

/** What was answered to a request, for metrics and logs. */
export interface Answered {
  readonly requestId: string;
  readonly sourceId: string;
  readonly method: string;
  readonly reply: Reply;
  readonly durationMs: number;
}

export interface ExchangeDeps {
  readonly handle: (request: WebhookRequest) => Promise<Reply | null>;
  /** One call for each answered request. */
  readonly onAnswer: (answered: Answered) => void;
  readonly onError: (error: unknown, requestId: string) => void;
}

/** Answers one request to the endpoint of a source. Never rejects. */
export type Exchange = (request: Request, response: ServerResponse, sourceId: string) => Promise<void>;

/** The HTTP side of the webhook: an id for the request, its answer, and an answer also where something breaks. */
export function createExchange({ handle, onAnswer, onError }: ExchangeDeps): Exchange {
  return async (request, response, sourceId) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    const answered = (reply: Reply) => {
      const method = request.method as string;
      onAnswer({ requestId, sourceId, method, reply, durationMs: performance.now() - startedAt });
    };
    try {
      const address = () => limitedAddress(request.ip);
      const reply = await handle({ sourceId, requestId, address, http: request });
      if (reply === null) return;
      sendReply(response, requestId, reply);
      answered(reply);
    } catch (error) {
      onError(error, requestId);
      sendRefusal(response, requestId, REFUSALS.internal_error);
      answered({ kind: 'refused', refusal: REFUSALS.internal_error });
    }
  };
}
