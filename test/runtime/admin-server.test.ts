import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AdminServer, startAdminServer } from '@sluice/runtime/http/admin-server';
import type { Check } from '@sluice/runtime/http/readiness';
import { createMetrics, type MetricsJson, mergeMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { rawHttp } from '../support/raw-http.ts';
import { runScript } from '../support/run-script.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';

describe('the admin port', () => {
  let server: AdminServer | undefined;
  const start = async (
    checks: Record<string, Check> = {},
    metrics = createMetrics({ service: 'test' }),
    knownChecks: Record<string, () => void> = {},
  ) => {
    const common = { port: 0, host: '127.0.0.1', logger: silentLogger() };
    server = await startAdminServer({ ...common, checks, metrics, knownChecks });
    return server;
  };
  const get = (path: string) => fetch(`${server?.url}${path}`);
  afterEach(() => server?.close());

  it('is live even when checks fail, because a restart fixes no store', async () => {
    await start({ redis: () => Promise.reject(new Error('away')) });
    expect((await get('/livez')).status).to.equal(200);
    expect((await get('/healthz')).status).to.equal(200);
  });

  it('is ready when every check passes, and else names the failed ones', async () => {
    let away = false;
    await start({
      redis: () => (away ? Promise.reject(new Error('redis is away')) : undefined),
      mongo: () => {},
    });
    expect((await get('/readyz')).status).to.equal(200);
    away = true;
    await until(async () => (await get('/readyz')).status === 503, {
      what: 'the result is not fresh any more',
    });
    const response = await get('/readyz?verbose');
    expect(response.status).to.equal(503);
    expect(await response.json()).to.deep.equal({
      status: 'not ready',
      checks: { redis: 'redis is away', mongo: 'ok' },
    });
  });

  it('is not ready the moment that the process knows why, however fresh the last result is', async () => {
    let closed: string | null = null;
    const knownChecks = {
      gate: () => {
        if (closed !== null) throw new Error(closed);
      },
    };
    await start({}, createMetrics({ service: 'test' }), knownChecks);
    expect((await get('/readyz')).status).to.equal(200);
    closed = 'redis_away';
    expect((await get('/readyz')).status).to.equal(503);
    expect(await (await get('/readyz?verbose')).json()).to.deep.equal({
      status: 'not ready',
      checks: { gate: 'redis_away' },
    });
    closed = null;
    expect((await get('/readyz')).status).to.equal(200);
  });

  it('asks the stores once for concurrent probes, and for probes soon after', async () => {
    let asked = 0;
    await start({ redis: () => void asked++ });
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => (await get('/readyz')).status),
    );
    expect([...new Set(statuses)]).to.deep.equal([200]);
    expect(asked).to.be.within(1, 10);
  });

  it('does not wait for a store that hangs, and sends it no second command while the first one waits', async () => {
    let asked = 0;
    await start({ redis: () => new Promise(() => void asked++) });
    const begunAt = performance.now();
    const later = async () => (await get('/readyz')).status === 503 && performance.now() - begunAt > 1500;
    await until(later, { what: 'probes have looked more than once' });
    expect(performance.now() - begunAt).to.be.below(5000);
    expect(asked).to.equal(1);
    const { checks } = (await (await get('/readyz?verbose')).json()) as { checks: object };
    expect(checks).to.deep.equal({ redis: 'no answer within 500 ms' });
  });

  it('collects the metrics once for scrapes at the same time', async () => {
    const sent = 20;
    let [arrived, collected] = [0, 0];
    const count = () => {
      arrived += 1;
    };
    const metrics = createMetrics({ service: 'test' });
    metrics.gauge({
      ...{ name: 'slow', help: 'Slow.' },
      async collect() {
        collected += 1;
        await until(() => arrived === sent, { what: 'all scrapes wait' });
      },
    });
    await start({}, metrics);
    subscribe('http.server.request.start', count);
    try {
      const texts = Array.from({ length: sent }, async () => (await get('/metrics')).text());
      expect((await Promise.all(texts)).every((text) => text.includes('slow'))).to.equal(true);
    } finally {
      unsubscribe('http.server.request.start', count);
    }
    expect(collected).to.equal(1);
  });

  it('keeps an unknown number as NaN when it merges replicas, unless one replica knows it', async () => {
    const replicaWith = async (offset: number) => {
      const metrics = createMetrics({ service: 'test' });
      metrics.gauge({ name: 'offset', help: 'Offset.', aggregator: 'average' }).set(offset);
      metrics.gauge({ name: 'used', help: 'Used.', aggregator: 'max' }).set(offset);
      await start({}, metrics);
      const replica = (await (await get('/metrics.json')).json()) as MetricsJson;
      await server?.close();
      return replica;
    };
    const [unknown, known] = [await replicaWith(Number.NaN), await replicaWith(5)];
    const none = await mergeMetrics([unknown, unknown]);
    expect(none)
      .to.match(/^offset\{[^}]*\} Nan$/m)
      .and.match(/^used\{[^}]*\} Nan$/m);
    const some = await mergeMetrics([unknown, known]);
    expect(some)
      .to.match(/^offset\{[^}]*\} 5$/m)
      .and.match(/^used\{[^}]*\} 5$/m);
  });

  it('is not ready while draining', async () => {
    const admin = await start();
    admin.setDraining();
    expect((await get('/readyz')).status).to.equal(503);
    expect((await get('/livez')).status).to.equal(200);
  });

  it('serves metrics that add up over replicas', async () => {
    const metrics = createMetrics({ service: 'test' });
    metrics.counter({ name: 'things_total', help: 'Things.', labelNames: ['kind'] }).inc({ kind: 'a' }, 2);
    await start({}, metrics);
    expect(await (await get('/metrics')).text()).to.include(
      'things_total{kind="a",service="test",namespace="sluice"} 2',
    );
    const replica = (await (await get('/metrics.json')).json()) as MetricsJson;
    expect(await mergeMetrics([replica, replica])).to.include(
      'things_total{kind="a",service="test",namespace="sluice"} 4',
    );
  });

  it('answers anything else with a problem', async () => {
    await start();
    const response = await get('/secrets');
    expect(response.status).to.equal(404);
    expect(response.headers.get('content-type')).to.equal('application/problem+json');
    expect(await response.json()).to.include({ code: 'not_found', status: 404 });
  });

  it('answers an unreadable path with 404, and continues', async () => {
    await start();
    const answer = await rawHttp(server?.url as string, [
      'GET // HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    ]);
    expect(answer).to.match(/^HTTP\/1.1 404 /);
    expect((await get('/livez')).status).to.equal(200);
  });

  it('is reported to the launcher', async () => {
    const script = runScript(
      `
      import { startAdminServer } from '@sluice/runtime/http/admin-server';
      import { createLogger } from '@sluice/runtime/telemetry/logger';
      import { createMetrics } from '@sluice/runtime/telemetry/metrics';
      await startAdminServer({ port: 0, host: '127.0.0.1', checks: {}, metrics: createMetrics({ service: 't' }),
        logger: createLogger({ service: 't', level: 'silent' }) });
    `,
      { ipc: true },
    );
    const message = await new Promise((resolve) => script.child.once('message', resolve));
    expect(message).to.have.property('type', 'sluice:admin');
    expect((await fetch(`${(message as { url: string }).url}/livez`)).status).to.equal(200);
    script.child.kill('SIGKILL');
    await script.ended;
  });
});
