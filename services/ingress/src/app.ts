import { newId } from '@sluice/credentials/ids';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { REFUSALS } from './answer/refusal.ts';
import type { Reply } from './answer/reply.ts';
import { sendRefusal, sendReply } from './answer/send-reply.ts';
import { limitedAddress } from './verify/client-address.ts';
import type { WebhookRequest } from './webhook.ts';

/** How many proxies, or which, are believed about the sender's address (Express's `trust proxy`). */
export type TrustProxy = boolean | number | string | string[];

export interface AppDeps {
  readonly handle: (request: WebhookRequest) => Promise<Reply | null>;
  readonly trustProxy: TrustProxy;
  /** One call for each answered request. */
  readonly onAnswer: (answered: Answered) => void;
  readonly onError: (error: unknown, requestId: string) => void;
}

export interface Answered {
  readonly requestId: string;
  readonly sourceId: string;
  readonly reply: Reply;
  readonly durationMs: number;
}

export const WEBHOOK_PATH = '/api/v1/events/webhook/:sourceId';

/** The webhook host as an Express application: one route, and problem details for everything else. */
export function createApp({ handle, trustProxy, onAnswer, onError }: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);

  app.all(WEBHOOK_PATH, async (request: Request<{ sourceId: string }>, response: Response) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    const { sourceId } = request.params;
    response.locals.requestId = requestId;
    const reply = await handle({
      sourceId,
      requestId,
      address: () => limitedAddress(request.ip),
      http: request,
    });
    if (reply === null) return;
    sendReply(response, requestId, reply);
    onAnswer({ requestId, sourceId, reply, durationMs: performance.now() - startedAt });
  });

  app.use((_request: Request, response: Response) => {
    sendRefusal(response, newId('req'), REFUSALS.not_found);
  });

  const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const requestId = (response.locals.requestId as string | undefined) ?? newId('req');
    // Express's router throws this for a path whose percent-encoding is wrong.
    if (error instanceof URIError || (error as { status?: unknown })?.status === 400) {
      return sendRefusal(response, requestId, REFUSALS.bad_request);
    }
    onError(error, requestId);
    sendRefusal(response, requestId, REFUSALS.internal_error);
  };
  app.use(answerError);
  return app;
}
