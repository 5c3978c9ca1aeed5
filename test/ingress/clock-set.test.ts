import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { createSourceDirectory, type SourceDirectory } from '@sluice/admission/source-directory';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { startIngress, type TestSource } from '../support/ingress.ts';
import { postUpsert } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { useRedis } from '../support/redis-server.ts';
import { timed } from '../support/timed.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const JUMP_MS = 60_000;

describe('ingress: a change of the clock while a request waits', () => {
  const now = Date.now;
  // MONITOR shows what every client does, so no other file uses this server.
  const server = useRedis();
  const redis = useRedisClient(() => server.url);
  const ingress = use(() => startIngress({ redisUrl: server.url }));
  let directory: SourceDirectory;
  let source: TestSource;
  before(async () => {
    directory = createSourceDirectory({ redis, keyspace: createKeyspace(ingress.namespace) });
  });
  beforeEach(async () => {
    source = await ingress.addSource();
  });
  afterEach(() => {
    Date.now = now;
  });

  /** Sends a request, and sets the clock once its source was looked up. */
  async function sendAndSetClock(byMs: number) {
    const { hostname, port } = new URL(server.url);
    // Not with ioredis, which fails if a command of another client comes before the reply to MONITOR.
    const monitor = connect(Number(port), hostname);
    const shown = createInterface({ input: monitor })[Symbol.asyncIterator]();
    const shows = async (text: string) => {
      while (!(await shown.next()).value.includes(text));
    };
    monitor.write('MONITOR\r\n');
    await shows('OK');
    const answer = postUpsert(ingress.url, source);
    await shows(createKeyspace(ingress.namespace).source(source.sourceId));
    monitor.destroy();
    Date.now = () => now() + byMs;
    return { answer };
  }

  for (const [direction, byMs] of [
    ['forwards', 2 * JUMP_MS],
    ['backwards', -2 * JUMP_MS],
  ] as const)
    it(`${direction} by more than a minute closes the gate, so that senders try again, until the clock is right`, async () => {
      Date.now = () => now() + byMs;
      await until(() => ingress.ingress.gate.closed() === 'clock');
      expect((await postUpsert(ingress.url, source)).body.code).to.equal('unavailable');
      Date.now = now;
      await until(() => ingress.ingress.gate.closed() === null);
      expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    });

  it('backwards delays no response beyond 1.5 seconds', async () => {
    await directory.fence(source.sourceId);
    const { result, ms } = await timed(async () => (await sendAndSetClock(-JUMP_MS)).answer);
    expect(result.body.code).to.equal('unavailable');
    expect(ms).to.be.below(1500);
  });

  it('forwards rejects no request early', async () => {
    const before = await directory.read(source.sourceId);
    if (before.state !== 'published') throw new Error(before.state);
    const fence = await directory.fence(source.sourceId);
    const { answer } = await sendAndSetClock(JUMP_MS);
    await directory.publish({ ...before.record, version: 2 }, fence);
    expect((await answer).status).to.equal(200);
  });
});
