import { newId } from '@sluice/credentials/ids';
import { leadKeys } from '@sluice/leads/lead-keys';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { UntoldRecord } from '@sluice/store/untold/untold-record';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { until } from '../support/until.ts';
import { useStore } from './support.ts';

describe('segments of leads', function () {
  this.timeout(120_000);
  const used = useStore();
  const stored = () => used.store.leadSegments.stored();
  const within = (write: (segment: string) => Promise<void> = async () => {}) =>
    used.store.leadSegments.within(async (segment) => {
      await write(segment);
      return segment;
    });

  /** Stores a lead in a batch. Resolves to its untold change and its segment. */
  async function insert(): Promise<{ readonly record: UntoldRecord; readonly segment: string }> {
    const common = { lead_id: newId('lead'), account_id: 'acc_1', created_at: 1, updated_at: 1 } as const;
    const actor = { type: 'system', id: 'test' } as const;
    const change = { sequence: 1000, kind: 'lead.created', at: 1, actor, data: {} } as const;
    const lead = {
      ...{ ...common, tags: [], fields: new Map(), stage: 'stg_new', conversation_id: null },
      origin: 'api',
      ...{ claims: [], untold: [change], stage_changed_at: 1, revision: 1, sequence: 1000 },
    } as const satisfies Lead;
    await used.store.leads.insertLeads([{ lead, keys: leadKeys(lead, null) }]);
    const document = await used.mongo.db.collection('leads').findOne({ _id: lead.lead_id as never });
    const record = { collection: 'leads', id: lead.lead_id, account_id: 'acc_1', changes: [change] } as const;
    return { record, segment: document?.untold_in };
  }

  /** Resolves once a segment that was begun after `first` was found told, and removed. */
  async function aLaterOneEnds(first: string): Promise<void> {
    let later = first;
    await until(async () => {
      later = await within();
      return later !== first;
    });
    await until(async () => !(await stored()).includes(later));
  }

  it('are stored before a write begins, and removed once it has ended', async () => {
    const id = await within(async (segment) => {
      expect(await stored()).to.include(segment);
    });
    await until(async () => !(await stored()).includes(id));
  });

  it('stay until every change in them is told', async () => {
    const { record, segment } = await insert();
    await aLaterOneEnds(segment);
    expect(await stored()).to.include(segment);
    const { records } = await used.store.untold.pageSegment(segment, { limit: 10 });
    expect(records).to.deep.equal([record]);
    await used.store.untold.clearTold(records);
    await until(async () => !(await stored()).includes(segment));
  });

  it('show no write as under way while their changes wait to be told', async () => {
    const { oldest } = used.store.leadSegments;
    const began = Date.now();
    const { record, segment } = await insert();
    expect(await oldest()).to.be.at.most(Date.now());
    await until(async () => ((await oldest()) ?? Number.POSITIVE_INFINITY) > began, { withinMs: 20_000 });
    expect(await stored()).to.include(segment);
    await used.store.untold.clearTold([record]);
    await until(async () => !(await stored()).includes(segment));
  });

  it('stay while a write that names them has not ended', async () => {
    let end = () => {};
    const gate = new Promise<void>((resolve) => {
      end = resolve;
    });
    let name = '';
    const writing = within((segment) => {
      name = segment;
      return gate;
    });
    await until(() => name !== '');
    await aLaterOneEnds(name);
    expect(await stored()).to.include(name);
    end();
    await writing;
    await until(async () => !(await stored()).includes(name));
  });

  it('stay after a write in them failed, because it may still take effect', async () => {
    let name = '';
    const failing = within(async (segment) => {
      name = segment;
      throw new Error('timed out');
    });
    expect(String(await failing.catch((error) => error))).to.equal('Error: timed out');
    await aLaterOneEnds(name);
    expect(await stored()).to.include(name);
  });

  it('are removed after MongoDB has refused a write in them, because it cannot take effect later', async () => {
    let name = '';
    const refused = new mongo.MongoServerError({ message: 'Document failed validation', code: 121 });
    const failing = within(async (segment) => {
      name = segment;
      throw refused;
    });
    expect(await failing.catch((error) => error)).to.equal(refused);
    await until(async () => !(await stored()).includes(name), { withinMs: 20_000 });
  });

  it('add no field to a lead that telling would have to remove', async () => {
    const { record } = await insert();
    const leads = used.mongo.db.collection('leads');
    const before = await leads.findOne({ _id: record.id as never });
    await used.store.untold.clearTold([record]);
    const { untold: _, ...rest } = before as unknown as { untold: unknown };
    expect(await leads.findOne({ _id: record.id as never })).to.deep.equal(rest);
    expect(rest).to.have.property('untold_in');
    expect(rest).not.to.have.property('untold_at');
  });
});
