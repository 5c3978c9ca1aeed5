import { expect } from 'chai';
import { drained } from '../faults/support/whole.ts';
import { randomActions, type Sent, sendAll } from '../support/load.ts';
import { expectEachLoggedOnce, expectSerial } from '../support/oracle.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { sized } from '../support/size.ts';
import { sourcesOfAllShards } from './support/sources.ts';

const SHARDS = 4;
const ACTIONS_A_SOURCE = sized({ short: 60, long: 300 });

/** Guarantees 1, 2 and 5 do not depend on the number of processes or the number of shards. */
describe(`${SHARDS} shards on one Redis`, function () {
  this.timeout(240_000);
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await startPipeline({ env: { QUEUE_SHARDS: String(SHARDS) } });
  });
  after(() => pipeline?.stop());

  // The services grow and shrink while they run, as operators do it.
  const sizes = sized<readonly (readonly [number, number])[]>({
    short: [
      [1, 1],
      [2, 3],
      [2, 1],
    ],
    long: [
      [1, 1],
      [1, 2],
      [1, 4],
      [2, 4],
      [2, 2],
      [2, 1],
    ],
  });
  for (const [ingresses, workers] of sizes) {
    it(`ingresses: ${ingresses}, workers: ${workers}: everything ends in the state of a serial run`, async () => {
      await resize(pipeline, ingresses, workers);
      const sources = await sourcesOfAllShards(pipeline, SHARDS);
      const runs = sources.map((source, seed) => {
        const bodies = randomActions({ count: ACTIONS_A_SOURCE, events: 5, seed });
        return sendAll({ urls: pipeline.urls, source, bodies, concurrency: 8, again: true });
      });
      const sent = await Promise.all(runs);
      expect(sent.flat().every(({ answer }) => answer?.status === 200)).to.equal(true);
      await drained(pipeline);
      for (const [index, source] of sources.entries()) {
        const rows = await pipeline.deliveries(source);
        expectEachLoggedOnce(rows, sent[index] as Sent[]);
        expectSerial(await pipeline.events(source), rows, sent[index] as Sent[]);
      }
    });
  }
});

async function resize(pipeline: Pipeline, ingresses: number, workers: number): Promise<void> {
  while (pipeline.urls.length < ingresses) await pipeline.addIngress();
  const running = () => pipeline.workers.filter((worker) => worker.ended() === undefined);
  while (running().length < workers) await pipeline.addWorker().ready();
  await Promise.all(
    running()
      .slice(workers)
      .map((worker) => worker.kill('SIGTERM')),
  );
}
