import type { OverviewPoint } from '@sluice/dashboard-api/overview';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { useInstallation } from './support/installation.ts';

describe('api: the overview, on a running installation', () => {
  const at = useInstallation();

  it('counts requests, rejections, latency and lag without reading the log', async () => {
    const source = await at.addSource();
    for (let i = 0; i < 5; i++) await at.sendTo(source, upsertBody());
    await post(source.url, signed({ secret: 'whsec_wrong', body: '{}' }));
    await at.logged(source, 6);
    const read = async (range: string, who = at.owner) => await who.read(`/overview?range=${range}`);
    await until(
      async () =>
        (await read('1h')).totals.requests >= 6 && (await read('1h')).totals.ingress_ms.p50 !== null,
    );
    for (const [range, points] of [
      ['1h', 60],
      ['24h', 96],
      ['7d', 168],
      ['30d', 120],
    ] as const) {
      const overview = await read(range);
      expect(overview.points).to.have.length(points);
      expect(overview.totals.accepted).to.be.at.least(5);
      expect(overview.totals.lag_ms.p95).to.be.a('number');
      expect(
        overview.refusals.find(({ code }: { code: string }) => code === 'signature_invalid').count,
      ).to.be.at.least(1);
      const sum = overview.points.reduce(
        (all: number, point: { by_status: Record<string, number> }) => all + (point.by_status['200'] ?? 0),
        0,
      );
      expect(sum).to.equal(overview.totals.accepted);
    }
    const overview = await read('1h');
    expect(overview.now).to.include({ workers: 1, queue_depth: 0 });
    const looked = overview.points.flatMap(({ queue }: OverviewPoint) => (queue === null ? [] : [queue]));
    expect(looked[0]).to.have.keys('waiting', 'active', 'delayed', 'dead_letters');
    expect(overview.plan).to.include({ name: 'unlimited', limit: null });
    expect(overview.checklist).to.deep.equal({ source: true, delivery: true, event: true, api_key: false });
    const theirs = await read('1h', at.stranger);
    expect(theirs.totals.requests).to.equal(0);
    expect(theirs.checklist).to.deep.equal({ source: false, delivery: false, event: false, api_key: false });
    const own = async () => await at.owner.read(`/sources/${source.id}`);
    await until(async () => (await own()).accepted_24h === 5 && (await own()).refused_24h === 1);
    expect(Date.parse((await own()).last_delivery_at)).to.be.closeTo(Date.now(), 20_000);
    expectProblem(await at.owner.call('get', '/overview?range=1y'), 'validation_failed');
  });

  it('breaks requests down by source, status and code, and counts each day', async () => {
    const [busy, quiet] = [await at.addSource(), await at.addSource()];
    for (const source of [busy, busy, quiet]) await at.sendTo(source, upsertBody());
    await post(quiet.url, signed({ secret: 'whsec_wrong', body: '{}' }));
    const [from, to] = [-60_000, 60_000].map((off) => new Date(Date.now() + off).toISOString());
    const partsOf = async (of: string, who = at.owner): Promise<Record<string, number>> => {
      const { items } = await who.read(`/overview/parts?from=${from}&to=${to}${of}`);
      const own = [busy.id, quiet.id];
      const mine = items.filter(({ source_id }: { source_id: string }) => own.includes(source_id));
      return Object.fromEntries(
        mine.map((item: { source_id: string; count: number }) => [item.source_id, item.count]),
      );
    };
    await until(async () => (await partsOf(''))[busy.id] === 2 && (await partsOf(''))[quiet.id] === 2);
    expect(await partsOf('&status=200')).to.deep.equal({ [busy.id]: 2, [quiet.id]: 1 });
    expect(await partsOf('&status_class=4xx')).to.deep.equal({ [quiet.id]: 1 });
    expect(await partsOf('&code=signature_invalid')).to.deep.equal({ [quiet.id]: 1 });
    expect(await partsOf('&status=503')).to.deep.equal({});
    expect(await partsOf('', at.stranger)).to.deep.equal({});
    const days = (await at.owner.read('/overview/days')).items;
    expect(days).to.have.length(30);
    const [today] = days.slice(-1);
    expect(today.requests).to.be.at.least(4);
    expect(today.refused).to.be.at.least(1);
    expect(Date.parse(today.to) - Date.parse(today.from)).to.equal(24 * 3_600_000);
  });
});
