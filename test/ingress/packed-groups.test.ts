import { unpackActions } from '@sluice/queue/packed-actions';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { startIngress, type TestIngress } from '../support/ingress.ts';
import { postUpsert } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

const AT_ONCE = 8;
/** With this, a group of any size is worth packing. */
const EVENT = { description: 'Bring a mat. '.repeat(400) };

describe('ingress: groups while many groups wait', () => {
  let ingress: TestIngress;
  const redis = useRedisClient();
  afterEach(() => ingress?.close());

  /** The data of all jobs, in any order. */
  async function jobs(): Promise<Record<string, unknown>[]> {
    const { prefix } = createKeyspace(ingress.namespace);
    const ids = await redis.lrange(`${prefix}:actions:wait`, 0, -1);
    const data = await Promise.all(ids.map((id) => redis.hget(`${prefix}:actions:${id}`, 'data')));
    return data.map((one) => JSON.parse(one as string));
  }

  async function sendTwice(packFrom: number): Promise<void> {
    ingress = await startIngress({ redisUrl: sharedRedisUrl(), config: { PACK_FROM_GROUPS: packFrom } });
    const source = await ingress.addSource();
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    await until(() => ingress.ingress.gate.backlog() > 0);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => postUpsert(ingress.url, source, EVENT)),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
  }

  it('are packed from PACK_FROM_GROUPS on, without losing an action', async () => {
    await sendTwice(1);
    const groups = await jobs();
    const packed = groups.filter((group) => 'packed' in group);
    expect(packed).to.have.length.above(0);
    const actions = groups.flatMap((group) => group.actions ?? unpackActions(group.packed));
    expect(actions).to.have.length(1 + AT_ONCE);
  });

  it('are never packed if PACK_FROM_GROUPS is 0', async () => {
    await sendTwice(0);
    expect((await jobs()).filter((group) => 'packed' in group)).to.deep.equal([]);
  });
});
