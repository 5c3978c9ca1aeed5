import { createObserver } from '@sluice/ingress/observe/observer';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { startIngress } from '../support/ingress.ts';
import { rawHttp } from '../support/raw-http.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { silentLogger } from '../support/silent-logger.ts';

describe('ingress: INGRESS_HTTP_READER', () => {
  for (const [reader, plain, node] of [
    ['plain', 1, 2],
    ['node', 0, 3],
  ] as const)
    it(`${reader}: both kinds of requests get the same responses, and the metric counts who read them`, async () => {
      const metrics = createMetrics({ service: 'ingress' });
      const observer = createObserver({ logger: silentLogger(), metrics });
      const ingress = await startIngress({ observer, config: { INGRESS_HTTP_READER: reader } });
      try {
        const source = await ingress.addSource();
        const send = (path: string, more: string) => {
          const { headers, body } = signed({ secret: source.secret, body: upsertBody() });
          const lines = Object.entries({ host: 'x', ...headers, 'content-length': body.length });
          const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
          const request = Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head}${more}\r\n`), body]);
          return rawHttp(ingress.url, [request], { until: (answer) => answer.includes('}') });
        };
        expect(await send(source.path, '')).to.match(/^HTTP\/1\.1 200 /);
        expect(await send(source.path, 'connection: close\r\n')).to.match(/^HTTP\/1\.1 200 /);
        expect(await send('/nothing', '')).to.match(/^HTTP\/1\.1 404 /);
        const text = await metrics.text();
        const count = (by: string) =>
          Number(
            new RegExp(`^webhook_requests_read_total\\{reader="${by}",.*\\} (\\d+)$`, 'm').exec(text)?.[1],
          );
        expect({ plain: count('plain'), node: count('node') }).to.deep.equal({ plain, node });
      } finally {
        await ingress.close();
      }
    });
});
