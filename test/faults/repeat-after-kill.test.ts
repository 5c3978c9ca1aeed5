import { expect } from 'chai';
import { addKey } from '../support/api-processes.ts';
import { freeLeases } from './support/free-leases.ts';
import { useKilledApis } from './support/use-killed-apis.ts';

interface LeadDocument {
  readonly _id: string;
  readonly company?: string;
  readonly revision: number;
  readonly untold?: readonly object[];
}

/** Each is another kill. The change of one of them at least must not be published yet when its API server dies. */
const MOST_TRIES = 10;

describe('a create that matches, repeated after its API server was killed behind the write', function () {
  this.timeout(180_000);
  // Without workers nobody publishes the change of a dead process before the repeat.
  const used = useKilledApis({ apis: 1, workers: 0 });

  it('returns the lead that it changed, and changes it once, also while the change is not published', async () => {
    const { pipeline, apis, db } = used;
    const leads = db.collection<LeadDocument>('leads');
    const { accountId } = await pipeline.addSource();
    const key = await addKey(pipeline, accountId);
    const send = (body: object, headers: Record<string, string> = {}) =>
      fetch(`${apis.urls[0]}/api/public/leads?match_on=email`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });

    let untold = 0;
    for (let number = 1; number <= MOST_TRIES && untold === 0; number++) {
      const email = `ada${number}@example.com`;
      const made = await send({ email, company: 'Old' });
      expect(made.status).to.equal(201);
      const { id } = (await made.json()) as { id: string };

      const again = () => send({ email, company: 'New' }, { 'idempotency-key': `try-${number}` });
      const cutOff = again().catch(() => undefined);
      while ((await leads.findOne({ _id: id }))?.company !== 'New') {}
      await apis.stop();
      await cutOff;
      if (((await leads.findOne({ _id: id }))?.untold ?? []).length > 0) untold++;
      // The dead process held the lease for 30 s. Its lead gets another email meanwhile, so nothing matches any more.
      await freeLeases(db);
      await leads.updateOne({ _id: id }, { $set: { email: 'moved@example.com', words: [] } });
      await apis.start();

      const repeated = await again();
      expect(repeated.status).to.equal(200);
      expect(await repeated.json()).to.include({ id, created: false, company: 'New' });
      expect(await leads.countDocuments({ account_id: accountId, revision: { $gt: 0 } })).to.equal(number);
      expect((await leads.findOne({ _id: id }))?.revision).to.equal(2);
    }
    expect(untold, 'kills before the change was published').to.be.above(0);
  });
});
