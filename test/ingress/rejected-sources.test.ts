import { MINUTE_MS } from '@sluice/contract/time/durations';
import { createObserver } from '@sluice/ingress/observe/observer';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { createRejectedSources } from '../../services/ingress/src/observe/rejected-sources.ts';
import { startIngress } from '../support/ingress.ts';
import { postUpsert } from '../support/post.ts';

describe('ingress: sources of which most requests are rejected', () => {
  let now = 0;
  const create = (most?: number) =>
    createRejectedSources({ now: () => now, ...(most !== undefined && { most }) });
  const times = (count: number, act: () => unknown) => Array.from({ length: count }, act);
  beforeEach(() => {
    now = 0;
  });

  it('are reported once, with their most common code, when more than half is rejected', () => {
    const sources = create();
    times(9, () => sources.saw('src_a', 'ok', 200));
    const told = [
      ...times(3, () => sources.saw('src_a', 'signature_invalid', 401)),
      ...times(10, () => sources.saw('src_a', 'rate_limited', 429)),
    ].filter((one) => one !== undefined);
    expect(told).to.deep.equal([{ source_id: 'src_a', code: 'rate_limited', requests: 19, rejected: 10 }]);
    expect([...sources.countByCode()]).to.deep.equal([['rate_limited', 1]]);
  });

  it('exclude sources with few rejections, with more accepted requests, or with server errors', () => {
    const sources = create();
    times(9, () => sources.saw('src_few', 'rate_limited', 429));
    times(20, () => sources.saw('src_half', 'ok', 200));
    times(20, () => sources.saw('src_half', 'rate_limited', 429));
    times(50, () => sources.saw('src_away', 'unavailable', 503));
    expect([...sources.countByCode()]).to.deep.equal([]);
  });

  it('are removed when their requests are accepted again, or after five minutes without any', () => {
    const sources = create();
    times(30, () => sources.saw('src_a', 'rate_limited', 429));
    now += 2 * MINUTE_MS;
    expect(sources.countByCode().get('rate_limited')).to.equal(1);
    times(31, () => sources.saw('src_a', 'ok', 200));
    expect(sources.countByCode().size).to.equal(0);
    times(30, () => sources.saw('src_b', 'rate_limited', 429));
    now += 5 * MINUTE_MS;
    expect(sources.countByCode().size).to.equal(0);
  });

  it('use bounded memory, and unknown ids use none', () => {
    const sources = create(100);
    for (let i = 0; i < 1000; i++) times(10, () => sources.saw(`made_up_${i}`, 'source_not_found', 404));
    for (let i = 0; i < 200; i++) times(10, () => sources.saw(`src_${i}`, 'rate_limited', 429));
    expect([...sources.countByCode()]).to.deep.equal([['rate_limited', 100]]);
  });

  it('are counted in a gauge without ids, and named in the log', async () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const logger = createLogger({ service: 'ingress', level: 'warn', destination });
    const metrics = createMetrics({ service: 'ingress' });
    const ingress = await startIngress({
      config: { RATE_LIMIT_BURST: 1, RATE_LIMIT_PER_SECOND: 1 },
      observer: createObserver({ logger, metrics }),
    });
    try {
      const source = await ingress.addSource();
      await Promise.all(times(30, () => postUpsert(ingress.url, source)));
      const text = await metrics.text();
      expect(text).to.match(/^sluice_sources_mostly_rejected\{code="rate_limited"[^}]*\} 1$/m);
      expect(text).to.match(/^sluice_sources_mostly_rejected\{code="signature_invalid"[^}]*\} 0$/m);
      expect(text).to.not.include(source.sourceId);
      const told = lines.filter(({ event }) => event === 'source.rejected');
      expect(told).to.have.length(1);
      expect(told[0]).to.include({ source_id: source.sourceId, code: 'rate_limited' });
    } finally {
      await ingress.close();
    }
  });
});
