import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { randomActions, type Sent, sendAll } from '../support/load.ts';
import { expectEachLoggedOnce, expectSerial } from '../support/oracle.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';

/**
 * Guarantee 1. A 200 is sent only after Redis holds the action, and nothing that got a 200 is lost,
 * whichever part is killed under load. Each part is killed several times and comes back.
 */
describe('guarantee 1: accepted is durable', function () {
  this.timeout(120_000);
  let pipeline: Pipeline;
  let source: TestSource;
  beforeEach(async () => {
    pipeline = await startPipeline({ ingress: 2, workers: 2 });
    source = await pipeline.addSource();
  });
  afterEach(() => pipeline.stop());

  const COUNT = 1500;
  const KILLS = 3;

  /** Sends under load and calls `kill` at even distances; waits for all rows; checks log and state. */
  async function killUnderLoad(kill: (round: number) => Promise<void>): Promise<Sent[]> {
    const kills: Promise<void>[] = [];
    const sent = await sendAll({
      urls: pipeline.urls,
      source,
      bodies: randomActions({ count: COUNT, events: 200, seed: 1 }),
      concurrency: 16,
      onAnswer: (count) => {
        if (count % Math.floor(COUNT / (KILLS + 1)) !== 0 || kills.length === KILLS) return;
        // One after the other: what is killed has come back before it is killed again.
        const round = kills.length;
        kills.push((kills.at(-1) ?? Promise.resolve()).then(() => kill(round)));
      },
    });
    await Promise.all(kills);
    expect(kills).to.have.length(KILLS);
    const accepted = sent.filter(({ answer }) => answer?.status === 200).length;
    const rows = await pipeline.logged(source, accepted, 60_000);
    expect(expectEachLoggedOnce(rows, sent))
      .to.equal(accepted)
      .and.be.above(COUNT / 10);
    expectSerial(await pipeline.events(source), rows, sent);
    for (const { answer } of sent) if (answer !== undefined) expect(answer.status).to.be.oneOf([200, 503]);
    return sent;
  }

  it('when ingress replicas are killed', async () => {
    await killUnderLoad(async (round) => {
      const at = round % 2;
      await pipeline.ingresses[at]?.kill('SIGKILL');
      const url = await pipeline.addIngress();
      pipeline.ingresses.splice(at, 1, ...pipeline.ingresses.splice(2));
      pipeline.urls.splice(0, pipeline.urls.length, ...pipeline.urls.slice(0, 2).with(at, url));
    });
  });

  it('when workers are killed', async () => {
    await killUnderLoad(async (round) => {
      await pipeline.workers[round]?.kill('SIGKILL');
      pipeline.addWorker();
    });
  });

  it('when Redis is killed and comes back with its append-only file', async () => {
    await killUnderLoad(async () => {
      await pipeline.redis.kill('SIGKILL');
      await pipeline.redis.restart();
    });
  });

  it('when MongoDB is killed and comes back', async () => {
    const { mongo } = pipeline;
    // The other engine is not ours to kill; the embedded store is, in the same suite's first run.
    if (mongo === undefined) return void expect(process.env.MONGO_URL).to.be.a('string');
    await killUnderLoad(async () => {
      await mongo.kill('SIGKILL');
      await mongo.restart();
    });
  });
});
