import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { seededRandom } from '../support/load.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { postUpsert } from '../support/post.ts';
import { rawHttp } from '../support/raw-http.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { LONG, seed, sized } from '../support/size.ts';
import { badRequest } from './support/bad-requests.ts';
import { report } from './support/report.ts';
import { residentMiB } from './support/resident-memory.ts';
import { drained } from './support/whole.ts';

const REQUESTS = sized({ short: 200, middle: 600, long: 10_000 });
const AT_A_TIME = 20;
/** The sender closes the connection after this time if no response came: the bytes may not be a whole request. */
const ENOUGH_MS = 300;
/** MiB. An ingress keeps nothing per request, so its memory after 10,000 requests equals that after a few thousand. */
const GROWN_AT_MOST = 32;
const MEMORY_CEILING = 300;

/** 0: no response. */
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
/** On a busy machine any request may get a 503. */
const isRefusal = (status: number) => (status >= 400 && status < 500) || (status === 503 && !LONG);

describe('faults: bad input', function () {
  this.timeout(sized({ short: 240_000, long: 600_000 }));
  let pipeline: Pipeline;
  let ingress: ServiceProcess;
  let source: TestSource;
  const url = () => pipeline.urls[0] as string;
  before(async () => {
    pipeline = await startPipeline();
    ingress = pipeline.ingresses[0] as ServiceProcess;
    source = await pipeline.addSource();
  });
  afterEach('the ingress has not crashed and still accepts', async () => {
    expect(ingress.ended()).to.equal(undefined);
    // A 503 of a busy machine is in the log too.
    const errors = ingress.log.filter(
      ({ level, code }) => Number(level) >= 50 && (LONG || code !== 'unavailable'),
    );
    expect(errors).to.deep.equal([]);
    expect((await postUpsert(url(), source)).status).to.equal(200);
  });
  after(() => pipeline?.stop());

  it(`${REQUESTS} random requests: rejects every forged one, does not crash, and its memory does not grow`, async () => {
    const random = seededRandom(seed);
    const statuses: Record<string, number> = {};
    const wrong: string[] = [];
    let left = REQUESTS;
    let memoryBefore = 0;
    async function sendOne(): Promise<void> {
      const { kind, bytes, forged, unanswerable } = badRequest(random, source);
      const options = unanswerable ? { endAfterMs: ENOUGH_MS } : {};
      const status = statusOf(await rawHttp(url(), [bytes], options));
      statuses[status] = (statuses[status] ?? 0) + 1;
      const fine = isRefusal(status) || (status === 200 && !forged) || (status === 0 && unanswerable);
      if (!fine) wrong.push(`${kind}: ${status} to ${bytes.toString('latin1')}`);
    }
    async function sendMany(): Promise<void> {
      while (left-- > 0) {
        await sendOne();
        if (left === Math.floor(REQUESTS / 2)) memoryBefore = await residentMiB(ingress);
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, sendMany));
    const memoryAfter = await residentMiB(ingress);
    await drained(pipeline);
    const failed = (await pipeline.deliveries(source)).filter(({ outcome }) => outcome === 'failed');
    report({
      test: 'bad input',
      done: 'random requests: signature, timestamp, body, headers, method, bytes',
      times: REQUESTS,
      asked: 'nothing forged accepted, only 4xx, memory flat',
      seen:
        `answers ${JSON.stringify(statuses)} (0: none), ${wrong.length} wrong, ${failed.length} failed later, ` +
        `${memoryBefore.toFixed(0)} -> ${memoryAfter.toFixed(0)} MiB`,
    });
    expect(wrong, `SEED=${seed}`).to.deep.equal([]);
    expect(failed, `what was accepted can be applied; SEED=${seed}`).to.deep.equal([]);
    expect(memoryAfter).to.be.below(MEMORY_CEILING);
    if (LONG) expect(memoryAfter - memoryBefore).to.be.below(GROWN_AT_MOST);
  });
});
