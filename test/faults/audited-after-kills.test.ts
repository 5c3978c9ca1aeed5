import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type ApiProcesses, addKey } from '../support/api-processes.ts';
import { seededRandom } from '../support/load.ts';
import { seed, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { report } from './support/report.ts';
import { useKilledApis } from './support/use-killed-apis.ts';

const KILLS = sized({ short: 4, long: 30 });
const WRITERS = 8;

describe('faults: API servers killed during writes without an Idempotency-Key', function () {
  this.timeout(sized({ short: 120_000, long: 600_000 }));
  const used = useKilledApis({ apis: 1, workers: 0 });

  it('leave an audit entry of each lead that they made, within 10 s', async () => {
    const { pipeline, apis, db } = used;
    const random = seededRandom(seed);
    const { accountId } = await pipeline.addSource();
    const key = await addKey(pipeline, accountId);
    let [sent, isOver] = [0, false];
    const write = async () => {
      while (!isOver) {
        sent += 1;
        await create(apis, key, `Lead ${sent}`).catch(() => delay(20));
      }
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, write));
    for (let kill = 0; kill < KILLS; kill++) {
      const wanted = sent + 40 + Math.floor(random() * 80);
      await until(() => sent >= wanted);
      await apis.replace(0);
    }
    isOver = true;
    await writers;

    const idsOf = async (collection: string, field: string, filter: object): Promise<string[]> => {
      const found = await db.collection(collection).find(filter).toArray();
      return found.map((one) => (field === '_id' ? String(one._id) : one[field].id)).sort();
    };
    const leads = await idsOf('leads', '_id', { account_id: accountId });
    const audited = () => idsOf('audit_log', 'target', { account_id: accountId, action: 'lead.created' });
    await until(async () => (await audited()).length >= leads.length, { withinMs: 10_000 }).catch(() => {});
    const entries = await audited();
    report({
      ...{ test: 'no change without its audit entry', times: KILLS, asked: 'one entry of each lead' },
      done: 'SIGKILL of an API server during writes without an Idempotency-Key',
      seen: `${leads.length} leads, ${entries.length} entries`,
    });
    expect(leads.length).to.be.above(KILLS);
    expect(entries).to.deep.equal(leads);
  });
});

async function create({ urls }: ApiProcesses, key: string, name: string): Promise<void> {
  const response = await fetch(`${urls[0]}/api/public/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
    signal: AbortSignal.timeout(10_000),
  });
  await response.text();
}
