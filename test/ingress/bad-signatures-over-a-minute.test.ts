import { MINUTE_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { startIngress, type TestIngress } from '../support/ingress.ts';
import { post, postUpsert } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';

const minuteNow = () => Math.floor(Date.now() / MINUTE_MS);
const msLeft = () => MINUTE_MS - (Date.now() % MINUTE_MS);
/** Enough for the few requests that block an address, on a busy machine too. */
const BEGIN_MS = 15_000;
/** How long before and after the turn requests follow one another. */
const NEAR_MS = 500;

// This takes up to a minute. The address guard's test has a controlled clock instead.
describe('ingress: a limit of bad signatures over the turn of a minute', () => {
  const opened: TestIngress[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((ingress) => ingress.close())));

  it('ends a block with the minute it was counted in, and accepts right signatures all along', async () => {
    const both = await Promise.all([open('plain'), open('node')]);
    await until(() => msLeft() < BEGIN_MS, { withinMs: MINUTE_MS + BEGIN_MS });
    const first = minuteNow();
    await Promise.all(both.map((sendBoth) => overTheTurn(sendBoth, first)));
  }).timeout(3 * MINUTE_MS);

  /** A request with a wrong signature, and one with a right one. Resolves to the status of the former. */
  async function open(reader: 'plain' | 'node'): Promise<() => Promise<number>> {
    const limits = { BAD_SIGNATURES_PER_MINUTE: 5, RATE_LIMIT_BURST: 100_000 };
    const ingress = await startIngress({ config: { ...limits, INGRESS_HTTP_READER: reader } });
    opened.push(ingress);
    const [wrong, right] = [await ingress.addSource(), await ingress.addSource()];
    // The first request of a process takes longer.
    await postUpsert(ingress.url, right);
    return async () => {
      const [bad, good] = await Promise.all([
        post(ingress.url + wrong.path, signed({ secret: 'whsec_wrong', body: upsertBody() })),
        postUpsert(ingress.url, right),
      ]);
      expect(good.status, 'a right signature').to.equal(200);
      return bad.status;
    };
  }

  async function overTheTurn(send: () => Promise<number>, first: number): Promise<void> {
    const seen: { readonly minute: number; readonly status: number }[] = [];
    const sendBoth = async () => {
      const status = await send();
      seen.push({ minute: minuteNow(), status });
    };
    const isBlockedIn = (minute: number) => seen.some((one) => one.minute === minute && one.status === 429);
    await until(async () => {
      await sendBoth();
      return (isBlockedIn(first) && msLeft() < NEAR_MS) || minuteNow() !== first;
    });
    while (!isBlockedIn(first + 1) || msLeft() > MINUTE_MS - NEAR_MS) await sendBoth();
    expect([...new Set(seen.map(({ minute }) => minute))]).to.deep.equal([first, first + 1]);
    for (const minute of [first, first + 1]) {
      const statuses = seen.filter((one) => one.minute === minute).map(({ status }) => status);
      // A request that crosses the turn may be counted in either minute.
      expect(statuses.filter((status) => status === 401).length).to.be.within(4, 6);
      expect(statuses).to.include(429);
    }
  }
});
