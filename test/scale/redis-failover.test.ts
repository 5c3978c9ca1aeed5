import { expect } from 'chai';
import { type Load, startLoad } from '../faults/support/load.ts';
import { acceptedAgain, expectPromised, worstOf } from '../faults/support/outage.ts';
import { report } from '../faults/support/report.ts';
import { expectFaultless, verdictOn } from '../faults/support/whole.ts';
import type { TestSource } from '../support/ingress.ts';
import { usePipeline } from '../support/pipeline.ts';
import { postTo } from '../support/post.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { useRedisCluster } from './support/redis-cluster.ts';
import { sourcesOfAllShards } from './support/sources.ts';

/** If it is cut off from its replica just before, only the master has the last acknowledged requests. */
type End = 'killed' | 'cut off and killed' | 'frozen';

const SHARDS = 4;
const REQUESTS = 40;
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

for (const { wait, end } of CASES)
  describe(`a master that is ${end} under load, with REDIS_WAIT_REPLICAS=${wait}`, function () {
    this.timeout(sized({ short: 240_000, long: 300_000 }));
    const cluster = useRedisCluster();
    const env = { QUEUE_SHARDS: String(SHARDS), REDIS_WAIT_REPLICAS: String(wait) };
    const pipeline = usePipeline(() => ({ ingress: 1, workers: 2, redisUrl: cluster.url, env }));

    it('is replaced by its replica: senders get 503 meanwhile, other shards go on, and everything recovers', async () => {
      for (let i = 0; i < TIMES; i++) {
        const sources = await sourcesOfAllShards(pipeline, SHARDS);
        const loads = sources.map((source, salt) =>
          startLoad({ urls: pipeline.urls, source, salt, perSecond: 25 }),
        );
        const shard = i % SHARDS;
        const times = await failOver(shard, loads);
        const tries = (await Promise.all(loads.map((load) => load.stop()))).flat();
        let [lost, accepted] = [0, 0];
        for (const [index, source] of sources.entries()) {
          const verdict = await verdictOn(pipeline, source, loads[index]?.tries ?? []);
          if (wait > 0) expectFaultless(verdict);
          lost += verdict.lost;
          accepted += verdict.accepted;
        }
        report(
          `${lost} of ${accepted} lost; replica a master after ${times.takeOverMs} ms, no 200 for ${times.outageMs} ms, ` +
            `slowest response ${worstOf(tries).toFixed(0)} ms, ${times.others} of other shards accepted meanwhile`,
        );
        const statuses = [...new Set(tries.map(({ answer }) => answer?.status))];
        expect(statuses, 'only 200 and 503').to.have.members([200, 503]);
        expect(times.others, 'other shards go on').to.be.above(0);
        expectPromised(worstOf(tries), ANSWERED_WITHIN_MS);
      }
    });

    /** Ends the master of a shard, and goes on until the new one accepts its requests. */
    async function failOver(shard: number, loads: readonly Load[]) {
      const own = loads[shard] as Load;
      const tag = `${pipeline.namespace}:${shard}`;
      const master = await cluster.masterOf(tag);
      await Promise.all(loads.map((load) => load.sent(REQUESTS)));
      if (end === 'cut off and killed') {
        await cluster.cutReplicaOff(master);
        // The replica misses these. With WAIT they get no 200.
        await own.sent(REQUESTS / 4);
      }
      const endedAt = performance.now();
      if (end === 'frozen') master.freeze();
      else await master.kill('SIGKILL');
      await cluster.takenOver(tag, master);
      const takeOverMs = Math.round(performance.now() - endedAt);
      // It comes back as the replica of the new master. Until then there is no replica to wait for.
      if (end === 'frozen') master.thaw();
      else await master.restart();
      await acceptedAgain(own);
      const acceptedSince = own.tries.filter(
        ({ sentAt, answer }) => sentAt > endedAt && answer?.status === 200,
      );
      const backAt = Math.min(...acceptedSince.map((one) => one.endedAt));
      const others = loads
        .filter((load) => load !== own)
        .flatMap(({ tries }) => tries)
        .filter((one) => one.sentAt > endedAt && one.endedAt < backAt && one.answer?.status === 200);
      await cluster.whole();
      return { takeOverMs, outageMs: Math.round(backAt - endedAt), others: others.length };
    }

    if (wait > 0)
      it('leads to 503 without a replica, and the log states why; a secret rotated just before stays rotated', async () => {
        const [source] = (await sourcesOfAllShards(pipeline, SHARDS)) as [TestSource];
        const tag = `${pipeline.namespace}:0`;
        const master = await cluster.masterOf(tag);
        const rotated = await pipeline.rotateSecret(source);
        const { log } = pipeline.ingresses[0] as ServiceProcess;
        const before = log.length;
        await master.kill('SIGKILL');
        await cluster.takenOver(tag, master);
        const isAlone = () =>
          log.slice(before).some((line) => line.shard === tag && line.closed === 'too_few_replicas');
        await until(isAlone, { what: 'the gate closes because a replica is missing' });
        const metrics = await fetch(`${pipeline.ingresses[0]?.adminUrl()}/metrics`);
        expect(await metrics.text()).to.match(/^sluice_gate_closed\{.*"too_few_replicas".*\} 1$/m);
        const body = { action: 'cancel', event: { title: 'A', starts_at: '2027-03-01T10:00:00Z' } };
        const send = (to: TestSource) => postTo(pipeline.urls[0] as string, to, body);
        const refused = await send(rotated);
        expect([refused.status, refused.headers.has('retry-after')]).to.deep.equal([503, true]);
        await master.restart();
        const seen = new Set<number>();
        const isAccepted = async () => {
          seen.add((await send(source)).status);
          return (await send(rotated)).status === 200;
        };
        await until(isAccepted, { what: 'the new secret is accepted again' });
        seen.add((await send(source)).status);
        expect([...seen].filter((status) => status !== 401 && status !== 503)).to.deep.equal([]);
        await cluster.whole();
      });
  });
