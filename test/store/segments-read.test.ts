import { newId } from '@sluice/credentials/ids';
import { leadKeys } from '@sluice/leads/lead-keys';
import type { Lead } from '@sluice/store/leads/lead-document';
import { createLeadSegments } from '@sluice/store/leads/lead-segments';
import { createLeads, registerLeads } from '@sluice/store/leads/leads';
import { createUntold } from '@sluice/store/untold/untold';
import { expect } from 'chai';
import mongoose, { mongo } from 'mongoose';
import { until } from '../support/until.ts';
import { useStore } from './support.ts';

describe('reading segments of leads', function () {
  this.timeout(120_000);
  const used = useStore();
  let connection: mongoose.Connection;
  let undo = () => {};
  beforeEach(async () => {
    const readPreference = 'secondaryPreferred';
    connection = await mongoose.createConnection(used.mongo.url, { readPreference }).asPromise();
    registerLeads(connection);
  });
  afterEach(async () => {
    undo();
    await connection.close();
  });

  it('asks the primary before a removal, whatever the URL prefers', async () => {
    // A single server is asked without its kind, so the commands do not show it. The cursors do.
    const { find } = mongo.Collection.prototype;
    const asked: [string, string | undefined][] = [];
    undo = () => {
      mongo.Collection.prototype.find = find;
    };
    mongo.Collection.prototype.find = function (this: mongo.Collection, ...wanted: Parameters<typeof find>) {
      const cursor = find.apply(this, wanted);
      asked.push([this.collectionName, cursor.readPreference.mode]);
      return cursor;
    } as typeof find;
    const segments = createLeadSegments(connection, { openMs: 1, everyMs: 1 });
    const id = await segments.within(async (segment) => segment);
    await until(async () => !(await segments.stored()).includes(id));
    await createUntold(connection).pageSegment(id, { limit: 1 });
    const modesOf = (name: string) => asked.flatMap(([of, mode]) => (of === name ? [mode] : []));
    expect(modesOf('lead_segments')).to.include('secondaryPreferred');
    expect(modesOf('leads').length).to.be.at.least(2);
    expect(modesOf('leads')).to.not.include('secondaryPreferred');
    await segments.stop();
  });

  it('stay open from when they were stored, so that a write that waited for a slow store can try again', async () => {
    const { insertOne } = mongo.Collection.prototype;
    undo = () => {
      mongo.Collection.prototype.insertOne = insertOne;
    };
    mongo.Collection.prototype.insertOne = async function (
      this: mongo.Collection,
      ...given: Parameters<typeof insertOne>
    ) {
      const begun = performance.now();
      await until(() => performance.now() - begun > 600);
      return insertOne.apply(this, given);
    } as typeof insertOne;
    const segments = createLeadSegments(connection, { openMs: 500, everyMs: 50 });
    const waited = await segments.within(async (segment) => segment);
    expect(await segments.within(async (segment) => segment)).to.equal(waited);
    await segments.stop();
  });

  /** A lead with an untold change of the request, in the segment. */
  async function inserted(requestId: string, segment: string): Promise<Lead> {
    const common = { lead_id: newId('lead'), account_id: 'acc_1', created_at: 1, updated_at: 1 } as const;
    const actor = { type: 'system', id: 'test' } as const;
    const created = { sequence: 1000, kind: 'lead.created', at: 1, actor, data: {} } as const;
    const lead = {
      ...{ ...common, tags: [], fields: new Map(), stage: 'stg_new', conversation_id: null },
      ...{ origin: 'api', claims: [], untold: [{ ...created, request_id: requestId }] },
      ...{ stage_changed_at: 1, revision: 1, sequence: 1000 },
    } as const satisfies Lead;
    await leadsThatSee(segment, []).insertLeads([{ lead, keys: leadKeys(lead, null) }]);
    return lead;
  }

  /** `seen`: what each look at the stored segments finds. The last one is found again and again. */
  function leadsThatSee(segment: string, seen: readonly (() => readonly string[])[]) {
    let looks = 0;
    return createLeads(connection, {
      segments: {
        within: (write) => write(segment),
        async stored() {
          const look = seen[Math.min(looks, seen.length - 1)];
          looks += 1;
          return look?.() ?? [];
        },
        oldest: async () => undefined,
      },
    });
  }

  it('finds the change of a request in a lead that moves to a newer segment meanwhile', async () => {
    const { lead_id } = await inserted('req_moved', 'newer');
    const leads = leadsThatSee('', [() => ['older'], () => ['older', 'newer']]);
    expect((await leads.findUntoldOf('acc_1', 'req_moved'))?.lead_id).to.equal(lead_id);
  });

  it('ends where each look finds a newer segment', async () => {
    let count = 0;
    const look = () => {
      count += 1;
      return [`segment ${count}`];
    };
    const leads = leadsThatSee('', [look]);
    expect(await leads.findUntoldOf('acc_1', 'req_none')).to.equal(undefined);
    expect(count).to.equal(5);
  });
});
