import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type RedisCluster, startRedisCluster } from './support/redis-cluster.ts';

const BODY = { action: 'cancel', event: { title: 'A', starts_at: '2027-03-01T10:00:00Z' } };
const ENDS = sized<readonly ('frozen' | 'killed')[]>({ short: ['frozen'], long: ['frozen', 'killed'] });

for (const end of ENDS) {
  describe(`guarantee 4 if a master is ${end} and its replica has missed a rotation`, function () {
    this.timeout(240_000);
    let cluster: RedisCluster;
    let pipeline: Pipeline;
    before(async () => {
      cluster = await startRedisCluster();
      pipeline = await startPipeline({ workers: 0, redisUrl: cluster.url });
    });
    after(async () => {
      await pipeline?.stop();
      await cluster?.stop();
    });
    const send = async ({ path, secret }: TestSource) =>
      (await post(pipeline.urls[0] + path, signed({ secret, body: BODY }))).status;

    it('the former secret is never accepted again, even if the rotation did not wait for replicas', async () => {
      const source = await pipeline.addSource();
      expect(await send(source)).to.equal(200);
      const tag = `${pipeline.namespace}:0`;
      const master = await cluster.masterOf(tag);
      await cluster.cutReplicaOff(master);
      const rotated = await pipeline.rotateSecret(source);
      if (end === 'frozen') master.freeze();
      else await master.kill('SIGKILL');
      const seen = new Set<number>();
      const bothAsked = async () => {
        seen.add(await send(source));
        return (await send(rotated)) === 200;
      };
      await until(bothAsked, { what: 'the replica accepts the new secret' });
      seen.add(await send(source));
      expect([...seen].filter((status) => status !== 401 && status !== 503)).to.deep.equal([]);
    });
  });
}
