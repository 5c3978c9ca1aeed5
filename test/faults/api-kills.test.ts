import { expect } from 'chai';
import { type ApiProcesses, addKey } from '../support/api-processes.ts';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { seededRandom } from '../support/load.ts';
import type { Pipeline } from '../support/pipeline.ts';
import { LONG, seed, sized } from '../support/size.ts';
import { startWriters } from './support/api-writes.ts';
import { judgeWrites } from './support/api-writes-verdict.ts';
import { freeLeases } from './support/free-leases.ts';
import { progress, report } from './support/report.ts';
import { useKilledApis } from './support/use-killed-apis.ts';

const KILLS = sized({ short: 2, middle: 20, long: 200 });
const WRITERS = sized({ short: 4, middle: 8, long: 12 });
/** On a busy machine the long form ends its kills after this, with fewer. */
const KILLS_WITHIN_MS = 24 * 60_000;
const TOLD_EVERY = 10;

describe('API servers killed during writes with an Idempotency-Key', function () {
  this.timeout(sized({ short: 120_000, middle: 230_000, long: 1_800_000 }));
  const used = useKilledApis({ apis: 2, workers: 1 });

  it('lose no record, make none twice, and respond with what the store has', async () => {
    const { pipeline, apis, db } = used;
    const random = seededRandom(seed);
    const channel = await pipeline.addChannel();
    const { accountId } = channel;
    const key = await addKey(pipeline, accountId);
    const handoff = { accountId, channelId: channel.sourceId };
    const conversationId = await handedOff(pipeline, handoff);
    const leadIds = await Promise.all(['A', 'B', 'C'].map((name) => post(apis, key, { name })));
    const targets = { urls: apis.urls, key, leadIds, conversationId, random };

    const writers = startWriters(targets, WRITERS);
    const end = performance.now() + KILLS_WITHIN_MS;
    let kills = 0;
    for (; kills < KILLS && performance.now() < end; kills++) {
      await writers.sent(5 + Math.floor(random() * 40));
      // A reply that was admitted before the end is sent, also if its server dies before the response.
      await act(pipeline, handoff, kills % 2 === 0 ? 'end_handoff' : 'accept_handoff');
      await apis.replace(kills % 2);
      if (kills % TOLD_EVERY === 0) progress(`${kills + 1} kills, ${writers.writes.length} writes`);
    }
    if (!LONG) {
      // Nobody is alive who holds a lease, so the short form need not wait until they end.
      await apis.stop();
      await freeLeases(db);
      await apis.start();
    }
    await act(pipeline, handoff, 'accept_handoff');
    await writers.finish();

    const { lost, doubled, contradicting } = await judgeWrites(db, writers.writes);
    const { broken, inProgress, unavailable } = writers.seen;
    report(
      `${writers.writes.length} writes; lost ${lost.length}, doubled ${doubled.length}, ` +
        `contradicting ${contradicting.length}; ${broken} tries without a response, ${inProgress} with 409, ${unavailable} with 503`,
      kills,
    );
    expect({ lost, doubled, contradicting }).to.deep.equal({ lost: [], doubled: [], contradicting: [] });
    expect(broken, 'requests that a kill cut off').to.be.above(0);
  });
});

interface Channel {
  readonly accountId: string;
  readonly channelId: string;
}

async function handedOff(pipeline: Pipeline, channel: Channel): Promise<string> {
  await applyActions(pipeline.store, channel, [visitorSays('chat-1', 'Hello')]);
  return act(pipeline, channel, 'accept_handoff');
}

function act({ store }: Pipeline, channel: Channel, kind: 'accept_handoff' | 'end_handoff'): Promise<string> {
  return applyActions(store, channel, [{ kind, conversation: { external_id: 'chat-1' } }]);
}

async function post({ urls }: ApiProcesses, key: string, body: object): Promise<string> {
  const response = await fetch(`${urls[0]}/api/public/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).to.equal(201);
  return ((await response.json()) as { id: string }).id;
}
