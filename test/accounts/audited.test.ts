import type { Deed } from '@sluice/accounts/audit/audited';
import { audited, auditedInEach, knownChange } from '@sluice/accounts/audit/audited';
import { connectStore, type Store } from '@sluice/store/connect';
import { expect } from 'chai';
import { useTestMongo } from '../support/mongo-server.ts';
import { until } from '../support/until.ts';

const DOER = { actor: { key_id: 'key_1', name: 'Website' }, address: '192.0.2.7' };
const BEGUN = { action: 'webhook.created', target: { id: 'sub_1', name: 'a.example' } } as const;
const MADE = { action: 'webhook.changed', target: { id: 'sub_2', name: 'b.example' }, detail: '*' } as const;

describe('an audited change', () => {
  const mongo = useTestMongo('audited');
  let store: Store;
  let accountId: string;
  let last = 0;
  before(async () => {
    store = connectStore({ url: mongo.url, namespace: 'unused' });
    await store.opened();
  });
  beforeEach(() => {
    accountId = `acc_${++last}`;
  });
  after(async () => {
    await store?.close();
  });

  const entries = async () =>
    (await store.auditLog.pageEntries({ account_id: accountId, limit: 10 })).items.map(
      ({ audit_id: _, account_id: __, ...entry }) => entry,
    );
  const change = (work: () => Promise<Deed | undefined>, ongoing?: string) =>
    audited(
      { auditLog: store.auditLog, doer: DOER, accountId, at: 1000 },
      { intent: { ...BEGUN, ...(ongoing !== undefined && { ongoing }) }, work, deed: (made) => made },
    );
  const dead = () => Promise.reject(new Error('killed'));
  const begun = { ...DOER, ...BEGUN, detail: null, at: 1000, unconfirmed: true };
  const made = { ...DOER, ...MADE, at: 1000 };

  it('has an unconfirmed entry while it is made, and one with what was changed afterwards', async () => {
    let meanwhile: unknown;
    await change(async () => {
      meanwhile = await entries();
      return MADE;
    });
    expect(meanwhile).to.deep.equal([begun]);
    expect(await entries()).to.deep.equal([made]);
  });

  it('has no entry if nothing was changed', async () => {
    await change(async () => undefined);
    expect(await entries()).to.deep.equal([]);
  });

  it('keeps its unconfirmed entry if its outcome is unknown', async () => {
    await change(dead).catch(() => {});
    expect(await entries()).to.deep.equal([begun]);
  });

  it('has one entry for all its parts, which is unconfirmed again while another part is made', async () => {
    await change(async () => MADE, 'import_1');
    await change(dead, 'import_1').catch(() => {});
    expect(await entries()).to.deep.equal([{ ...made, unconfirmed: true }]);
    await change(async () => MADE, 'import_1');
    expect(await entries()).to.deep.equal([made]);
  });

  it('leaves the entry as it was if a repeat changes nothing', async () => {
    await change(async () => MADE, 'import_1');
    await change(async () => undefined, 'import_1');
    expect(await entries()).to.deep.equal([made]);
    await change(dead, 'import_1').catch(() => {});
    await change(async () => undefined, 'import_1');
    expect(await entries()).to.deep.equal([{ ...made, unconfirmed: true }]);
  });

  it('keeps the entry, not confirmed, if one of two parts at once changes nothing and the other one dies', async () => {
    let isOver = () => {};
    const nothing = new Promise<undefined>((resolve) => {
      isOver = () => resolve(undefined);
    });
    const first = change(() => nothing, 'import_1');
    await until(async () => (await entries()).length === 1);
    await change(dead, 'import_1').catch(() => {});
    isOver();
    await first;
    expect(await entries()).to.deep.equal([begun]);
  });

  it('keeps the detail of its first part if a repeat names none', async () => {
    await change(async () => MADE, 'import_1');
    const { detail: _, ...without } = MADE;
    await change(async () => without, 'import_1');
    expect(await entries()).to.deep.equal([made]);
  });

  it('has an entry in each account that it concerns, and each is there before it is made', async () => {
    const ids = [`${accountId}_1`, `${accountId}_2`];
    const inEach = async () =>
      (await Promise.all(ids.map((id) => store.auditLog.pageEntries({ account_id: id, limit: 10 })))).map(
        ({ items }) => items.map(({ unconfirmed = false }) => unconfirmed),
      );
    let meanwhile: unknown;
    await auditedInEach(
      ids,
      (id, work) =>
        audited({ auditLog: store.auditLog, doer: DOER, accountId: id, at: 1000 }, knownChange(BEGUN, work)),
      async () => {
        meanwhile = await inEach();
      },
    );
    expect(meanwhile).to.deep.equal([[true], [true]]);
    expect(await inEach()).to.deep.equal([[false], [false]]);
  });
});
