import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { usePipeline } from '../support/pipeline.ts';
import { postTo } from '../support/post.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { useRedisCluster } from './support/redis-cluster.ts';

const BODY = { action: 'cancel', event: { title: 'A', starts_at: '2027-03-01T10:00:00Z' } };
/** A frozen or killed master does not answer. A demoted one answers MOVED. */
type End = 'frozen' | 'killed' | 'demoted' | 'demoted and promoted again';
const FAST: readonly End[] = ['frozen', 'demoted', 'demoted and promoted again'];
const ENDS = sized<readonly End[]>({ short: FAST, long: [...FAST, 'killed'] });

describe('guarantee 4 on a Redis Cluster whose replica has missed a rotation', function () {
  this.timeout(240_000);
  const cluster = useRedisCluster();
  const pipeline = usePipeline(() => ({ ingress: 2, workers: 0, redisUrl: cluster.url }));
  /** Every ingress gets the request, and has its own view of the Cluster. */
  const send = (source: TestSource): Promise<number[]> =>
    Promise.all(pipeline.urls.map(async (url) => (await postTo(url, source, BODY)).status));
  const isAccepted = async (source: TestSource) => (await send(source)).every((status) => status === 200);

  for (const end of ENDS)
    it(`never accepts the former secret after its master is ${end}, even if the rotation did not wait for replicas`, async () => {
      const source = await pipeline.addSource();
      await until(() => isAccepted(source), { what: 'both accept the secret' });
      const tag = `${pipeline.namespace}:0`;
      const master = await cluster.masterOf(tag);
      await cluster.cutReplicaOff(master);
      const rotated = await pipeline.rotateSecret(source);
      if (end === 'frozen') master.freeze();
      else if (end === 'killed') await master.kill('SIGKILL');
      else await cluster.demote(master);
      if (end === 'demoted and promoted again') {
        // The replica gave it the old data, and nobody asked the replica about the source.
        await cluster.whole();
        await cluster.demote(await cluster.masterOf(tag));
      }
      const expectFormerRejected = async () => {
        for (const status of await send(source)) expect(status).to.be.oneOf([401, 503]);
      };
      const isNewAccepted = async () => {
        await expectFormerRejected();
        return isAccepted(rotated);
      };
      await until(isNewAccepted, { what: 'the new master accepts the new secret' });
      await expectFormerRejected();
      if (end === 'frozen') master.thaw();
      if (end === 'killed') await master.restart();
      await cluster.reconnect();
    });
});
