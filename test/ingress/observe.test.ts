import { PROBED_SOURCE } from '@sluice/contract/delivery/webhook-path';
import { createObserver } from '@sluice/ingress/observe/observer';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { REFUSALS } from '../../services/ingress/src/answer/refusal.ts';
import { observeGate } from '../../services/ingress/src/gate/observe-gate.ts';
import { recordingLogger, silentLogger } from '../support/silent-logger.ts';

describe('ingress: metrics', () => {
  it('measure durations in seconds, with POST as the only named method', async () => {
    const metrics = createMetrics({ service: 'ingress' });
    const { onAnswer } = createObserver({ logger: silentLogger(), metrics });
    const rate = { state: { remaining: 1, resetSeconds: 0 }, perSecond: 1, burst: 1 };
    for (const method of ['POST', 'BREW', 'PUT'])
      onAnswer({
        ...{
          requestId: 'req_1',
          sourceId: 'src_1',
          kind: 'events' as const,
          traceId: undefined,
          method,
          durationMs: 500,
        },
        reply: { kind: 'accepted', deliveryId: 'dlv_1', duplicate: false, rate },
      });
    const text = await metrics.text();
    expect(text).to.match(/^http_request_duration_seconds_sum\{[^}]*method="POST"[^}]*\} 0\.5$/m);
    expect(text).to.match(/^http_request_duration_seconds_sum\{[^}]*method="other"[^}]*\} 1$/m);
    expect(text).to.not.match(/BREW|PUT/);
  });

  it('have a series for every rejection from the start', async () => {
    const metrics = createMetrics({ service: 'ingress' });
    createObserver({ logger: silentLogger(), metrics });
    const text = await metrics.text();
    for (const [code, status] of [
      ['signature_invalid', 401],
      ['unavailable', 503],
      ['internal_error', 500],
    ])
      expect(text).to.contain(
        `webhook_requests_total{code="${code}",status="${status}",service="ingress",namespace="sluice"} 0`,
      );
  });

  it('distinguish full queues and each reason of the gate', async () => {
    const metrics = createMetrics({ service: 'ingress' });
    const gate = {
      reasons: () => ['redis_away'] as const,
      backlogFull: () => true,
      fullness: () => ({ actions: 1.5, refusals: 2 }),
    };
    observeGate({ metrics, gate, config: { BACKLOG_LIMIT: 20_000, REDIS_MEMORY_LIMIT_PERCENT: 70 } });
    const closed = [
      ...(await metrics.text()).matchAll(/^sluice_gate_closed\{[^}]*reason="(\w+)"[^}]*\} 1$/gm),
    ].map(([, reason]) => reason);
    expect(closed).to.have.members(['redis_away', 'backlog_full', 'refusals_backlog']);
    expect(await metrics.text()).to.match(/^sluice_backlog_ratio\{queue="actions",.*\} 1\.5$/m);
  });
});

describe('ingress: the log', () => {
  it('has no warning about a check by sluice doctor, unless the ingress accepts no requests', () => {
    const { logger, records } = recordingLogger();
    logger.level = 'info';
    const { onAnswer } = createObserver({ logger, metrics: createMetrics({ service: 'ingress' }) });
    const answer = (sourceId: string, refusal: (typeof REFUSALS)[keyof typeof REFUSALS]) =>
      onAnswer({
        ...{ requestId: 'req_1', sourceId, kind: 'events', method: 'GET', durationMs: 1, traceId: undefined },
        reply: { kind: 'refused', refusal },
      });
    answer(PROBED_SOURCE, REFUSALS.method_not_allowed);
    answer('src_1', REFUSALS.method_not_allowed);
    answer(PROBED_SOURCE, REFUSALS.internal_error);
    expect(records.map(({ source_id, code }) => `${source_id} ${code}`)).to.deep.equal([
      'src_1 method_not_allowed',
      'src_doctor internal_error',
    ]);
  });
});
