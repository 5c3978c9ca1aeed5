import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { usePipeline } from '../support/pipeline.ts';
import { type Answer, post } from '../support/post.ts';
import { runScript } from '../support/run-script.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { type ReceivedSpan, startOtlpReceiver } from './support/otlp-receiver.ts';

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

describe('traces', function () {
  this.timeout(240_000);
  const receiver = use(startOtlpReceiver);
  const pipeline = usePipeline(() => ({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      LOG_LEVEL: 'debug',
    },
  }));
  let source: TestSource;
  before(async () => {
    source = await pipeline.addSource();
  });

  const send = (body: object, headers: Record<string, string> = {}, to = source): Promise<Answer> => {
    const request = signed({ secret: to.secret, body });
    return post(`${pipeline.urls[0]}${source.path}`, {
      ...request,
      headers: { ...request.headers, ...headers },
    });
  };
  const inTrace = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);
  /** The spans of a trace, once it contains all of `names`. */
  const trace = async (traceId: string, ...names: string[]): Promise<readonly ReceivedSpan[]> => {
    const complete = () => names.every((name) => inTrace(traceId).some((span) => span.name === name));
    await until(complete, { what: `the collector has ${names} of ${traceId}` });
    return inTrace(traceId);
  };
  const one = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
    const found = spans.filter((span) => span.name === name);
    expect(found, name).to.have.length(1);
    return found[0] as ReceivedSpan;
  };

  const REQUEST = 'POST /api/v1/events/webhook/:sourceId';

  it("lead from the sender's span through request and group to MongoDB", async () => {
    const [traceId, senderSpan] = [hex(16), hex(8)];
    const answer = await send(upsertBody(), { traceparent: `00-${traceId}-${senderSpan}-01` });
    const spans = await trace(traceId, REQUEST, 'process actions');
    const request = one(spans, REQUEST);
    expect(request).to.include({ parentSpanId: senderSpan, service: 'sluice-ingress' });
    expect(request.attributes).to.include({
      'http.response.status_code': 200,
      'sluice.code': 'ok',
      'sluice.request_id': answer.headers.get('x-request-id'),
      'sluice.delivery_id': answer.body.delivery_id,
    });
    for (const step of ['verify', 'admit'])
      expect(one(spans, step).parentSpanId, step).to.equal(request.spanId);
    const admit = one(spans, 'admit');
    const group = one(spans, 'process actions');
    expect(group).to.include({ parentSpanId: admit.spanId, service: 'sluice-worker' });
    expect(group.links.map(({ spanId }) => spanId)).to.deep.equal([admit.spanId]);
    for (const roundTrip of ['find events', 'bulkWrite events', 'insertMany deliveries']) {
      const span = one(spans, roundTrip);
      expect(span.parentSpanId, roundTrip).to.equal(group.spanId);
      expect(span.attributes, roundTrip).to.include({ 'db.system.name': 'mongodb' });
    }
  });

  it('link each request of a group to the group', async () => {
    const ids = Array.from({ length: 20 }, () => hex(16));
    await Promise.all(ids.map((id) => send(upsertBody(), { traceparent: `00-${id}-${hex(8)}-01` })));
    const traces = await Promise.all(ids.map((id) => trace(id, REQUEST)));
    const enqueued = traces.map((spans) => one(spans, 'admit').spanId);
    const groups = () => receiver.spans.filter(({ name }) => name === 'process actions');
    const linked = () => new Set(groups().flatMap(({ links }) => links.map(({ spanId }) => spanId)));
    await until(() => enqueued.every((spanId) => linked().has(spanId)), {
      what: 'each is linked to a group',
    });
    // If the group is in another trace, this trace has a span that is linked to it.
    for (const id of ids) {
      const itself = () => inTrace(id).some(({ name }) => name === 'process actions');
      const other = () => inTrace(id).find(({ name }) => name === 'process action');
      await until(() => itself() || other() !== undefined, { what: `${id} continues in the worker` });
      if (!itself()) expect(groups().map(({ spanId }) => spanId)).to.include(other()?.links[0]?.spanId);
    }
  });

  it('show rejections, and end there', async () => {
    const traceId = hex(16);
    const wrong = { ...source, secret: 'whsec_wrong' };
    expect((await send(upsertBody(), { traceparent: `00-${traceId}-${hex(8)}-01` }, wrong)).status).to.equal(
      401,
    );
    const request = one(await trace(traceId, REQUEST), REQUEST);
    expect(request.attributes).to.include({
      'http.response.status_code': 401,
      'sluice.code': 'signature_invalid',
    });
    // A rejection is not a server error.
    expect(request.failed).to.equal(false);
  });

  it('start at the ingress without a valid traceparent, and are left out if the sender does not sample', async () => {
    const unsampled = hex(16);
    await send(upsertBody(), { traceparent: `00-${unsampled}-${hex(8)}-00` });
    const answers = [
      await send(upsertBody()),
      await send(upsertBody(), { traceparent: 'not-a-traceparent' }),
    ];
    for (const { headers } of answers) {
      const id = headers.get('x-request-id');
      const begun = () => receiver.spans.find(({ attributes }) => attributes['sluice.request_id'] === id);
      await until(() => begun() !== undefined, { what: 'the request has a trace' });
      expect(begun()?.parentSpanId).to.equal('');
    }
    // Later spans have arrived, so this one would have too.
    expect(inTrace(unsampled)).to.deep.equal([]);
  });

  it('are named in the log lines of request and group', async () => {
    const traceId = hex(16);
    await send(upsertBody(), { traceparent: `00-${traceId}-${hex(8)}-01` });
    for (const [service, event] of [
      [pipeline.ingresses[0], 'request.answered'],
      [pipeline.workers[0], 'group.applied'],
    ] as const)
      await until(
        () => service?.log.some((line) => line.event === event && line.trace_id === traceId) === true,
        {
          what: `${event} names the trace`,
        },
      );
  });

  it('are named in the line of their group, even if the worker applies several groups together', async () => {
    const traceIds = Array.from({ length: 6 }, () => hex(16));
    const { mongo, workers } = pipeline;
    mongo?.freeze();
    try {
      // Sent one after the other, so that each becomes a group. They wait for MongoDB and are then applied together.
      for (const traceId of traceIds) await send(upsertBody(), { traceparent: `00-${traceId}-${hex(8)}-01` });
    } finally {
      mongo?.thaw();
    }
    const lines = () => workers[0]?.log.filter(({ event }) => event === 'group.applied') ?? [];
    const applied = (traceId: string) => lines().filter(({ trace_id }) => trace_id === traceId);
    await until(() => traceIds.every((traceId) => applied(traceId).length > 0), {
      what: 'each group is logged with its own trace',
    });
    for (const traceId of traceIds) expect(applied(traceId)).to.have.length(1);
  });

  it('contain no request contents and no secret', async () => {
    const title = `Confidential ${hex(8)}`;
    const traceId = hex(16);
    const body = upsertBody({ title, description: 'known to few', location: 'a secret place' });
    await send(body, { traceparent: `00-${traceId}-${hex(8)}-01` });
    await trace(traceId, REQUEST, 'process actions');
    const all = receiver.bodies.join('\n');
    for (const secret of [title, 'known to few', 'a secret place', source.secret, 'sha256=', 'whsec_'])
      expect(all).to.not.include(secret);
  });

  it('are optional: without a collector requests are accepted and applied, and processes stop in time', async () => {
    receiver.refuseAll();
    const before = (await pipeline.deliveries(source)).length;
    expect((await send(upsertBody())).status).to.equal(200);
    await pipeline.ingresses[0]?.logged('tracing.away');
    await receiver.close();
    expect((await send(upsertBody())).status).to.equal(200);
    await pipeline.logged(source, before + 2);
    const [worker] = pipeline.workers;
    await worker?.kill('SIGTERM');
    expect(worker?.ended()).to.equal(0);
  });
});

describe('disabled traces', () => {
  it('do not load OpenTelemetry', async () => {
    const script = runScript(
      `
      import { createRequire } from 'node:module';
      import { startTracing } from '@sluice/runtime/process/start-service';
      const config = { OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: 1 };
      const logger = { warn() {}, info() {} };
      const loaded = () => Object.keys(createRequire(process.cwd() + '/x.js').cache).some((path) => path.includes('@opentelemetry/sdk'));
      const off = await startTracing({ service: 'ingress', config, logger });
      const before = loaded();
      const on = await startTracing({ service: 'ingress', config: { ...config, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, logger });
      process.send({ off: off === undefined, before, after: loaded() });
      await on.stop();
    `,
      { ipc: true },
    );
    const said = await new Promise((resolve) => script.child.once('message', resolve));
    await script.ended;
    expect(said).to.deep.equal({ off: true, before: false, after: true });
  });
});
