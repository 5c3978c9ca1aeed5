import { createObserver } from '@sluice/ingress/observe/observer';
import { createLineBudget } from '@sluice/runtime/telemetry/line-budget';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { REFUSALS } from '../../services/ingress/src/answer/refusal.ts';
import { startIngress } from '../support/ingress.ts';
import { usePipeline } from '../support/pipeline.ts';
import { postUpsert } from '../support/post.ts';
import { until } from '../support/until.ts';

type Line = Record<string, unknown>;

describe('the log of running processes', () => {
  const pipeline = usePipeline();

  const linesOf = (event: string, log: readonly Line[] = []) => log.filter((line) => line.event === event);

  it('has one line per group, with ids, outcomes and times, and no line per accepted request', async () => {
    const source = await pipeline.addSource();
    expect((await postUpsert(pipeline.urls[0] as string, source)).status).to.equal(200);
    const groups = () => linesOf('group.applied', pipeline.workers[0]?.log);
    await until(() => groups().length === 1, { what: 'the group is logged' });
    const [line] = groups() as [Line];
    expect(line).to.include({ level: 30, service: 'worker', actions: 1, created: 1, rounds: 1, sources: 1 });
    expect(line.source_ids).to.deep.equal([source.sourceId]);
    expect(line.group_id).to.match(/^grp_/);
    for (const time of ['duration_ms', 'lag_ms']) expect(line[time], time).to.be.a('number');
    expect(linesOf('request.answered', pipeline.ingresses[0]?.log)).to.deep.equal([]);
  });

  it('has one line for a rejected request, with the id of its response and without its contents', async () => {
    const source = await pipeline.addSource();
    const wrong = { ...source, secret: 'whsec_wrong' };
    const answer = await postUpsert(pipeline.urls[0] as string, wrong, { title: 'Confidential' });
    const log = () => pipeline.ingresses[0]?.log ?? [];
    await until(() => linesOf('request.answered', log()).length === 1, { what: 'the rejection is logged' });
    const [line] = linesOf('request.answered', log()) as [Line];
    expect(line).to.include({
      level: 40,
      request_id: answer.headers.get('x-request-id'),
      source_id: source.sourceId,
      code: 'signature_invalid',
      status: 401,
    });
    expect(JSON.stringify(log())).to.not.match(/Confidential|whsec_|sha256=/);
  });
});

describe('a flood of rejections', () => {
  it('causes a limited number of log lines per second, with the number of lines left out', () => {
    let now = 0;
    const budget = createLineBudget({ perSecond: 10, now: () => now });
    const takeMany = () =>
      Array.from({ length: 1000 }, () => budget.take()).filter((one) => one !== undefined);
    expect(takeMany()).to.deep.equal(Array(10).fill({ unlogged: 0 }));
    now += 1000;
    expect(takeMany().slice(0, 2)).to.deep.equal([{ unlogged: 990 }, { unlogged: 0 }]);
  });

  it('is limited in the log of the ingress, and counted completely', async () => {
    const lines: Line[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const logger = createLogger({ service: 'ingress', level: 'info', destination });
    const metrics = createMetrics({ service: 'ingress' });
    const { onAnswer } = createObserver({ logger, metrics });
    const flood = 2000;
    const began = performance.now();
    for (let i = 0; i < flood; i++)
      onAnswer({
        requestId: 'req_1',
        sourceId: 'x'.repeat(1000),
        kind: 'events',
        method: 'POST',
        reply: { kind: 'refused', refusal: REFUSALS.unavailable },
        durationMs: 1,
        traceId: undefined,
      });
    const seconds = Math.ceil((performance.now() - began) / 1000) + 1;
    expect(lines.length).to.be.within(10, 10 * seconds);
    expect(lines[0]).to.include({ level: 50, code: 'unavailable' });
    expect(String(lines[0]?.source_id)).to.have.length(64);
    expect(await metrics.text()).to.include(
      `webhook_requests_total{code="unavailable",status="503",service="ingress",namespace="sluice"} ${flood}`,
    );
  });

  it('does not flood the log with lines that state why a source cannot be read', async () => {
    const ingress = await startIngress();
    try {
      const source = await ingress.addSource({ sealed_secret: 'sealed with no key that is here' });
      const flood = 60;
      const began = performance.now();
      const answers = await Promise.all(Array.from({ length: flood }, () => postUpsert(ingress.url, source)));
      const again = await postUpsert(ingress.url, source);
      const seconds = Math.ceil((performance.now() - began) / 1000) + 1;
      expect([...new Set([...answers, again].map(({ status }) => status))]).to.deep.equal([503]);
      const lines = ingress.logLines.filter((line) => line.includes('"source.sealed"'));
      expect(lines.length).to.be.within(1, 10 * seconds);
    } finally {
      await ingress.close();
    }
  });
});
