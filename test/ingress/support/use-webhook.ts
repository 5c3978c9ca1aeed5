import { createServer, type Server } from 'node:http';
import type { Reply } from '@sluice/ingress/answer/reply';
import { nodeIncoming } from '@sluice/ingress/http/node-incoming';
import { createBodyRoom } from '@sluice/ingress/receive/body-room';
import { createWaitingBodies } from '@sluice/ingress/receive/receive';
import { createWebhook, type WebhookDeps } from '@sluice/ingress/webhook';
import { listen } from '@sluice/runtime/http/listen';

const never = () => Promise.reject(new Error('nothing is enqueued here'));

/** The webhook endpoint without Redis and MongoDB: it knows no source. `changed` replaces parts. */
export function useWebhook(
  changed: Partial<WebhookDeps>,
  onReply: (reply: Reply | null) => number,
): { readonly url: () => string } {
  const deps: WebhookDeps = {
    gate: { closed: () => null },
    sources: {
      cached: () => undefined,
      find: async () => ({ outcome: 'not_found' }),
      forget: () => {},
      forgetAll: () => {},
    },
    proxyWatch: { saw: () => undefined },
    explainSignature: ({ refusal }) => refusal,
    results: { expect: () => undefined },
    admissions: { submit: never },
    refusals: { submit: never },
    defaultRate: { perSecond: 1, burst: 1 },
    bodies: createBodyRoom(),
    waitingBodies: createWaitingBodies(),
    ...changed,
  };
  let server: Server;
  let url = '';
  before(async () => {
    const handle = createWebhook(deps);
    server = createServer(async (http, response) => {
      const reply = await handle({
        sourceId: 'src_1',
        kind: 'events',
        requestId: 'req_1',
        address: () => '',
        http: nodeIncoming(http, response, () => undefined),
      });
      response.writeHead(onReply(reply)).end();
    });
    ({ url } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'INGRESS_PORT' }));
  });
  after(() => {
    server?.closeAllConnections();
    server?.close();
  });
  return { url: () => url };
}
