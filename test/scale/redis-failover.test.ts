import { expect } from 'chai';
import { atMostMs } from '../faults/support/machine-lag.ts';
import { report } from '../faults/support/report.ts';
import { expectFaultless, verdictOn } from '../faults/support/whole.ts';
import type { TestSource } from '../support/ingress.ts';
import type { Sent } from '../support/load.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { post } from '../support/post.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { signed } from '../support/signed.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type End, type Failover, failOver } from './support/failover.ts';
import { expectOnlyTheBadOneFails } from './support/one-bad-action.ts';
import { type RedisCluster, startRedisCluster } from './support/redis-cluster.ts';
import { sourcesOfAllShards } from './support/sources.ts';

const SHARDS = 4;
const accepted = (sent: readonly Sent[]) => sent.filter(({ answer }) => answer?.status === 200).length;

/** Whether `WAIT` is used, and how the master ends. */
const CASES: readonly { readonly wait: number; readonly end: End }[] = sized({
  short: [{ wait: 1, end: 'cut off and killed' }],
  long: [
    { wait: 1, end: 'cut off and killed' },
    { wait: 1, end: 'killed' },
    { wait: 1, end: 'frozen' },
    { wait: 0, end: 'cut off and killed' },
    { wait: 0, end: 'killed' },
  ],
});
const TIMES = sized({ short: 1, long: 5 });
/** The promise to senders. */
const ANSWERED_WITHIN_MS = 1500;

for (const { wait, end } of CASES) {
  describe(`a master is ${end} under load, REDIS_WAIT_REPLICAS=${wait}`, function () {
    this.timeout(sized({ short: 240_000, long: 300_000 }));
    let cluster: RedisCluster;
    let pipeline: Pipeline;
    before(async () => {
      cluster = await startRedisCluster();
      const env = { QUEUE_SHARDS: String(SHARDS), REDIS_WAIT_REPLICAS: String(wait) };
      pipeline = await startPipeline({ ingress: 1, workers: 2, redisUrl: cluster.url, env });
    });
    after(async () => {
      await pipeline?.stop();
      await cluster?.stop();
    });

    it('its replica takes over; senders get 503 meanwhile, and everything recovers automatically', async () => {
      const runs: { failover: Failover; lost: number; accepted: number }[] = [];
      for (let i = 0; i < TIMES; i++) {
        const sources = await sourcesOfAllShards(pipeline, SHARDS);
        const failover = await failOver({
          cluster,
          pipeline,
          sources,
          shard: i % SHARDS,
          end,
          wait: wait > 0,
        });
        const answers = failover.sent.flat().map(({ answer }) => answer?.status);
        expect([...new Set(answers)], 'only 200 and 503').to.have.members([200, 503]);
        expect(failover.outageMs, 'the replica took over').to.be.greaterThan(0);
        const lost = await settle(pipeline, sources, failover, wait > 0);
        runs.push({ failover, lost, accepted: accepted(failover.sent.flat()) });
        const { slowestMs, lagMs } = failover;
        expect(slowestMs, 'guarantee 6').to.be.below(atMostMs(ANSWERED_WITHIN_MS, lagMs));
        const shard = i % SHARDS;
        const source = sources[shard] as TestSource;
        if (wait > 0) await expectNoSecondEffect(pipeline, source, failover.sent[shard] as Sent[]);
        await expectOnlyTheBadOneFails({ cluster, pipeline, source, shard });
      }
      const total = (of: (run: (typeof runs)[number]) => number) =>
        runs.reduce((sum, run) => sum + of(run), 0);
      const worst = (of: (run: Failover) => number) => Math.max(...runs.map(({ failover }) => of(failover)));
      report({
        test: 'redis-failover',
        done: `a master ${end}, WAIT ${wait}`,
        times: TIMES,
        asked:
          wait > 0 ? 'no acknowledged request lost' : 'the number of acknowledged requests that were lost',
        seen: `${total(({ lost }) => lost)} of ${total((run) => run.accepted)} lost; replica a master after ${worst((run) => run.takeOverMs)} ms, no 200 for ${worst((run) => run.outageMs)} ms at most, slowest response ${worst((run) => run.slowestMs)} ms, ${total(({ failover }) => failover.othersMeanwhile)} of other shards accepted meanwhile`,
      });
      expect(
        total(({ failover }) => failover.othersMeanwhile),
        'other shards continue',
      ).to.be.greaterThan(0);
      if (wait > 0) expect(total(({ lost }) => lost)).to.equal(0);
    });

    if (wait > 0)
      it('without a replica senders get 503 and the log states why; a secret rotated just before stays rotated', async () => {
        const [source] = (await sourcesOfAllShards(pipeline, SHARDS)) as [TestSource];
        const tag = `${pipeline.namespace}:0`;
        const master = await cluster.masterOf(tag);
        const rotated = await pipeline.rotateSecret(source);
        const { log } = pipeline.ingresses[0] as ServiceProcess;
        const before = log.length;
        await master.kill('SIGKILL');
        await cluster.takenOver(tag, master);
        const alone = () =>
          log.slice(before).some((line) => line.shard === tag && line.closed === 'too_few_replicas');
        await until(alone, { what: 'the gate closes because a replica is missing' });
        const metrics = await fetch(`${pipeline.ingresses[0]?.adminUrl()}/metrics`);
        expect(await metrics.text()).to.match(/^sluice_gate_closed\{.*"too_few_replicas".*\} 1$/m);
        const body = { action: 'cancel', event: { title: 'A', starts_at: '2027-03-01T10:00:00Z' } };
        const send = ({ path, secret }: TestSource) =>
          post(pipeline.urls[0] + path, signed({ secret, body }));
        const refused = await send(rotated);
        expect([refused.status, refused.headers.has('retry-after')]).to.deep.equal([503, true]);
        await master.restart();
        const seen = new Set<number>();
        await until(
          async () => {
            seen.add((await send(source)).status);
            return (await send(rotated)).status === 200;
          },
          { withinMs: 90_000, what: 'the new secret is accepted again' },
        );
        seen.add((await send(source)).status);
        expect([...seen].filter((status) => status !== 401 && status !== 503)).to.deep.equal([]);
        await cluster.whole();
      });
  });
}

/**
 * Waits until the queues are empty. Returns how many requests with a 200 are missing from the log. If none may be lost,
 * it checks everything that was sent.
 */
async function settle(
  pipeline: Pipeline,
  sources: readonly TestSource[],
  { sent }: Failover,
  complete: boolean,
): Promise<number> {
  let lost = 0;
  for (const [index, source] of sources.entries()) {
    const verdict = await verdictOn(pipeline, source, sent[index] ?? []);
    if (complete) expectFaultless(verdict);
    lost += verdict.lost;
  }
  return lost;
}

/** Guarantee 3 for the requests that the lost master accepted. */
async function expectNoSecondEffect(
  pipeline: Pipeline,
  source: TestSource,
  sent: readonly Sent[],
): Promise<void> {
  const first = sent.find(({ answer }) => answer?.status === 200) as Sent;
  const again = await post(pipeline.urls[0] + source.path, first.request);
  expect([again.status, again.body.duplicate]).to.deep.equal([200, true]);
}
