import { expect } from 'chai';
import { randomActions, sendAll } from '../support/load.ts';
import { usePipeline } from '../support/pipeline.ts';
import { seed, sized } from '../support/size.ts';
import { report } from './support/report.ts';

const INGRESSES = 3;
const RATE = 5;
const BURST = sized({ short: 50, long: 2000 });

describe('the rate limit of a source', function () {
  this.timeout(sized({ short: 240_000, long: 300_000 }));
  const pipeline = usePipeline({ ingress: INGRESSES });

  it(`is exact to one request over ${INGRESSES} ingress processes`, async () => {
    const source = await pipeline.addSource({ ratePerSecond: RATE, rateBurst: BURST });
    const count = 3 * BURST;
    const bodies = randomActions({ count, events: 100, seed });
    const sent = await sendAll({ urls: pipeline.urls, source, bodies, concurrency: 30 });
    const limited = sent.filter(({ answer }) => answer?.status === 429);
    const rows = await pipeline.logged(source, count, 60_000);
    const sequences = rows.flatMap(({ sequence }) => sequence ?? []).sort((a, b) => a - b);
    // Sequence numbers are microseconds of Redis's clock, the clock by which the limit is enforced.
    const seconds = ((sequences.at(-1) as number) - (sequences[0] as number)) / 1e6;
    const allowed = BURST + Math.floor(seconds * RATE);
    report(`${sequences.length} accepted`);
    expect(sequences.length).to.be.within(allowed - 1, allowed + 1);
    expect(sequences.length + limited.length).to.equal(count);
    for (const { answer } of limited) expect(Number(answer?.headers.get('retry-after'))).to.be.at.least(1);
  });
});
