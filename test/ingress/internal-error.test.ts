import { createServer } from 'node:http';
import { REFUSALS } from '@sluice/ingress/answer/refusal';
import { createExchange } from '@sluice/ingress/http/exchange';
import { nodeIncoming } from '@sluice/ingress/http/node-incoming';
import { createObserver } from '@sluice/ingress/observe/observer';
import type { Incoming } from '@sluice/ingress/receive/incoming';
import { listen } from '@sluice/runtime/http/listen';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';

describe('ingress: an internal error', () => {
  it('gets 500 without its text, is counted and logged', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const metrics = createMetrics({ service: 'ingress' });
    const logger = createLogger({ service: 'ingress', level: 'info', destination });
    const handle = () => Promise.reject(new TypeError('of no concern to senders'));
    const exchange = createExchange({ handle, ...createObserver({ logger, metrics }) });
    const server = createServer(
      (request, response) =>
        void exchange(
          nodeIncoming(request, response, () => undefined),
          'src_1',
          'events',
        ),
    );
    const { url } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'INGRESS_PORT' });
    const response = await fetch(url, { method: 'POST', body: '{}' });
    const body = await response.text();
    server.closeAllConnections();
    server.close();
    expect(response.status).to.equal(500);
    expect(JSON.parse(body)).to.include({ code: 'internal_error' });
    expect(body).to.not.include('of no concern');
    expect(await metrics.text()).to.include(
      'webhook_requests_total{code="internal_error",status="500",service="ingress",namespace="sluice"} 1',
    );
    const logged = lines.map((line) => JSON.parse(line)).find(({ level }) => level === 50);
    expect(logged).to.include({ request_id: response.headers.get('x-request-id') });
  });

  it('after the response is reported, without a second response', async () => {
    const answers: number[] = [];
    const errors: unknown[] = [];
    const exchange = createExchange({
      handle: async () => ({ kind: 'refused', refusal: REFUSALS.signature_invalid }),
      onAnswer: () => {
        throw new RangeError('cannot be counted');
      },
      onError: (error) => errors.push(error),
    });
    const incoming: Incoming = {
      method: 'POST',
      headers: {},
      ip: () => undefined,
      readBody: () => ({ outcome: 'aborted' }),
      send: (status) => answers.push(status),
    };
    await exchange(incoming, 'src_1', 'events');
    expect(answers).to.deep.equal([401]);
    expect(errors).to.have.length(1);
  });
});
