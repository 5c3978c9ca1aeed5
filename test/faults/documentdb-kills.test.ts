import { expect } from 'chai';
import { seededRandom } from '../support/load.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { LONG, seed, sized } from '../support/size.ts';
import { type DocumentDb, startDocumentDb, whyNoDocumentDb } from './support/documentdb.ts';
import { againAndAgain } from './support/kill.ts';
import { startLoad } from './support/load.ts';
import { report } from './support/report.ts';
import { expectWhole, inWords, verdictOn, WHOLE } from './support/whole.ts';

const KILLS = sized({ short: 3, long: 50 });
/** Milliseconds, for one round. */
const WITHIN_MS = sized({ short: 10_000, long: 600_000 });

const reason = whyNoDocumentDb();
if (reason === undefined) describe('faults: DocumentDB killed under load loses nothing', killUnderLoad);
else process.stderr.write(`DocumentDB is not killed under load: ${reason}\n`);

/**
 * Guarantees 1 to 3 on an engine that stores data differently from the embedded store, and that returns errors of its
 * protocol while it recovers.
 */
function killUnderLoad(this: Mocha.Suite): void {
  this.timeout(sized({ short: 180_000, long: 900_000 }));
  let engine: DocumentDb;
  let pipeline: Pipeline;
  before(async () => {
    engine = await startDocumentDb();
    pipeline = await startPipeline({ workers: 2, mongoUrl: engine.url });
  });
  after(async () => {
    await pipeline?.stop();
    await engine?.stop();
  });

  it('keeps what it has confirmed: it syncs its log before it confirms a commit', async () => {
    expect(await engine.postgres.setting('fsync')).to.equal('on');
    expect(await engine.postgres.setting('synchronous_commit')).to.equal('on');
  });

  const PARTS: readonly (readonly [what: string, kill: (random: () => number) => Promise<void>])[] = [
    ['the gateway of DocumentDB', () => engine.killGateway()],
    ['a backend of its PostgreSQL, which then recovers', (random) => engine.killBackend(random)],
    ['its postmaster, started again', () => engine.killPostmaster()],
  ];
  for (const [salt, [what, kill]] of (LONG ? PARTS : PARTS.slice(0, 2)).entries()) {
    it(`when the process killed is ${what}`, async () => {
      const source = await pipeline.addSource();
      const load = startLoad({ urls: pipeline.urls, source, salt });
      // Each test has its own random numbers, so one test alone (--grep) does the same as among the others.
      const random = seededRandom(seed + salt);
      await load.sent(50);
      const settings = { times: KILLS, withinMs: WITHIN_MS, random };
      const times = await againAndAgain(load, settings, () => kill(random)).finally(() => load.stop());
      const verdict = await verdictOn(pipeline, source, load.tries).catch(async (error) => {
        const logs = pipeline.workers.map(({ log }) => log.slice(-5));
        process.stderr.write(`${JSON.stringify(logs, null, 1)}\n${await engine.postgres.activity()}\n`);
        throw error;
      });
      report({
        test: 'accepted is durable',
        done: `SIGKILL of ${what}`,
        times,
        asked: WHOLE,
        seen: inWords(verdict),
      });
      expectWhole(verdict);
      if (LONG) expect(times).to.equal(KILLS);
      expect((await pipeline.queued()).failed, 'BullMQ gives up no group').to.equal(0);
    });
  }
}
