import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import type { Receiver } from '../dispatcher/support/receiver.ts';
import { LONG, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type OutboundLoad, startOutboundLoad } from './support/outbound-load.ts';
import { preload } from './support/preload.ts';
import { report } from './support/report.ts';

const JUMPS_MS = [HOUR_MS, 0, -HOUR_MS, 0];
const ROUNDS = sized({ short: 1, middle: 2, long: 10 });
const BETWEEN = 30;

describe('faults: the clock of a dispatcher that jumps', function () {
  this.timeout(LONG ? 900_000 : 240_000);
  let outbound: OutboundLoad;
  let folder: string;
  let jumps = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-clock-'));
    const file = join(folder, 'clock');
    outbound = await startOutboundLoad({ dispatchers: 0 });
    await outbound.pipeline.addDispatcher({ ...preload('jumping-clock'), CLOCK_FILE: file });
  });
  after(async () => {
    await outbound?.stop();
    await rm(folder, { recursive: true });
  });

  async function jump(aheadMs: number): Promise<void> {
    await writeFile(join(folder, 'clock'), String(aheadMs));
    process.kill(outbound.pipeline.dispatchers[0]?.pid as number, 'SIGUSR2');
    jumps += 1;
  }

  /** Responds to its next requests with these statuses, and then with 200. What failed counts as not received. */
  function respondNext(
    receiver: Receiver,
    answers: readonly { status: number; retryAfter?: string }[],
  ): void {
    const left = [...answers];
    receiver.answer = (one, response) => {
      const next = left.shift();
      if (next === undefined) return void response.end();
      receiver.received.splice(receiver.received.indexOf(one), 1);
      response
        .writeHead(next.status, next.retryAfter === undefined ? {} : { 'retry-after': next.retryAfter })
        .end();
    };
  }

  it('delays, loses and disorders no message when it jumps an hour ahead and back', async () => {
    const { plain, ordered, load } = outbound;
    for (let round = 0; round < ROUNDS; round++)
      for (const aheadMs of JUMPS_MS) {
        await load.more(BETWEEN);
        // A pause of the whole mailbox, and a failure right after it.
        for (const receiver of [plain, ordered])
          respondNext(receiver, [{ status: 429, retryAfter: '1' }, { status: 500 }]);
        await load.more(BETWEEN);
        await jump(aheadMs);
        for (const receiver of [plain, ordered]) {
          const enough = receiver.received.length + BETWEEN;
          const what = 'it receives after the pause';
          await until(() => receiver.received.length > enough, { withinMs: 60_000, what });
        }
      }
    await outbound.quiet();
    const { violations, messages } = await outbound.verdict();
    report({
      ...{ test: 'clock of a dispatcher', done: 'an hour ahead and back', times: jumps },
      asked: '0 lost, 0 out of order where ordered, none waits for an hour',
      seen: `${messages} messages, ${violations.length} violations`,
    });
    expect(violations).to.deep.equal([]);
  });
});
