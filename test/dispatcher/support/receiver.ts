import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { use } from '../../support/use.ts';

/** A request that a receiver got. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** A receiver of outbound messages. `answer` decides the response; it may also never respond. With `tls` its URL is https. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  answer: (received: Received, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** A receiver for the tests of a describe block. */
export const useReceiver = (answer?: Receiver['answer']): Receiver => use(() => startReceiver(answer));

export async function startReceiver(
  answer: Receiver['answer'] = (_received, response) => response.end(),
  port = 0,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Receiver> {
  const received: Received[] = [];
  const onRequest: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = JSON.parse(text);
      const { headers } = request;
      const one = {
        id: String(headers['webhook-id']),
        type: body.type,
        body,
        text,
        path: request.url ?? '',
        headers,
        at: Date.now(),
      };
      received.push(one);
      receiver.answer(one, response);
    });
  };
  const server = tls === undefined ? createServer(onRequest) : createHttpsServer(tls, onRequest);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
