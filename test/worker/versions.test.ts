import { readFileSync } from 'node:fs';
import { admittedDeliveryId, otherDeliveryId } from '@sluice/contract/delivery/delivery-id';
import { ID_GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { unpackActions } from '@sluice/queue/packed-actions';
import type { ListedEvent } from '@sluice/store/events/listed-event';
import { type Job, Queue } from 'bullmq';
import { expect } from 'chai';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { createSource, groupOf, upsert } from './support/groups.ts';
import { openTestStores } from './support/stores.ts';

/** Jobs as ingresses of each release enqueued them for the same nine requests: `name`, `data`, `opts`. One group is packed. */
const RELEASES = ['0.2.0'];

describe('jobs of other versions', () => {
  const stores = use(openTestStores);
  let worker: ServiceProcess;
  let actions: Queue;
  let refusals: Queue;
  before(async () => {
    const options = { connection: stores.redis, prefix: stores.prefix };
    actions = new Queue('actions', options);
    refusals = new Queue('refusals', options);
    // A long retention keeps the fixture's old rows.
    worker = startService('worker', { ...stores.env, DELIVERY_RETENTION_DAYS: '3650' });
    await worker.ready();
  });
  after(async () => {
    await worker.kill('SIGTERM');
    await actions?.close();
    await refusals?.close();
  });

  for (const release of RELEASES)
    it(`of release ${release} are applied and logged as before`, async () => {
      const file = new URL(`fixtures/version-${release}.json`, import.meta.url);
      const jobs = JSON.parse(readFileSync(file, 'utf8'));
      await actions.addBulk(jobs.actions);
      await refusals.addBulk(jobs.refusals);
      const { source_id } = jobs.actions[0].data.actions[0];
      await until(async () => (await stores.deliveries(source_id)).size === 9, { what: 'all are logged' });

      const events: ListedEvent[] = [];
      for await (const event of stores.store.events.listEvents({ source_id })) events.push(event);
      expect(events.map(shown)).to.deep.equal([
        {
          title: 'Yoga in the park',
          starts_at: Date.parse('2026-12-01T17:00Z'),
          location: 'Ghent',
          ends_at: Date.parse('2026-12-01T18:00Z'),
          description: 'Bring a mat',
          url: 'https://example.com/yoga',
          price: '5 €',
          recurring: 'weekly',
          status: 'cancelled',
        },
        { title: 'Chess', starts_at: Date.parse('2026-12-02T18:00Z'), status: 'cancelled' },
      ]);

      const members = [...jobs.actions, ...jobs.refusals].flatMap(({ data }) => membersOf(data));
      const rows = await stores.deliveries(source_id);
      expect(members.map((member) => rows.get(member.delivery_id)?.outcome)).to.deep.equal([
        ...['created', 'created', 'created', 'cancelled', 'duplicate', 'deleted', 'not_found'],
        ...['rejected', 'rejected'],
      ]);
      for (const { delivery_id, request_id, account_id, received_at, sequence, duplicate_of } of members) {
        const kept = { request_id, account_id, received_at };
        const ordered = { sequence: sequence ?? null, duplicate_of: duplicate_of ?? null };
        expect(rows.get(delivery_id)).to.deep.include({ ...kept, ...ordered });
      }
      const requests = members.map(({ request }) => request);
      expect(members.map(({ delivery_id }) => rows.get(delivery_id)?.request)).to.deep.equal(requests);
      expect(await stores.deadLetters.count()).to.equal(0);
    });

  it('of a newer version wait for a newer worker, without dead letters or attempts, and with one warning', async () => {
    const source = createSource();
    const newer = (group: object) => ({ ...group, v: ID_GROUP_VERSION + 1, more: { of: 'the future' } });
    const groups = ['Yoga', 'Chess'].map((title) => newer(groupOf(source.admit(upsert(title, '5 €')))));
    for (const group of groups) await actions.add('group', group);
    await refusals.add('group', newer(source.refusals('Choir')));
    const putOff = async () => (await actions.getDelayedCount()) + (await refusals.getDelayedCount());
    await until(async () => (await putOff()) === 3, { what: 'all are postponed' });
    await actions.promoteJobs();
    const times = async () =>
      Number(/^sluice_worker_newer_groups_total\S* (\d+)$/m.exec(await metrics())?.[1] ?? 0);
    await until(async () => (await times()) >= 5, { what: 'they were tried again' });
    let waiting: Job[] = [];
    const bothWait = async () => {
      waiting = await actions.getDelayed();
      return waiting.length === 2;
    };
    await until(bothWait, { what: 'they are postponed again' });

    expect(waiting.map(({ data }) => data)).to.have.deep.members(groups);
    expect(waiting.map(({ attemptsMade }) => attemptsMade)).to.deep.equal([0, 0]);
    expect(await stores.deadLetters.count()).to.equal(0);
    expect((await stores.deliveries(source.source_id)).size).to.equal(0);
    const warnings = worker.log.filter(({ event }) => event === 'group.newer');
    expect(warnings.map(({ version, known }) => [version, known])).to.deep.equal([
      [ID_GROUP_VERSION + 1, ID_GROUP_VERSION],
    ]);
  });

  const metrics = async () => (await fetch(`${worker.adminUrl()}/metrics`)).text();
});

interface FixtureMember {
  readonly delivery_id: string;
  readonly request_id: string;
  readonly source_id: string;
  readonly account_id: string;
  readonly received_at: number;
  readonly sequence?: number;
  readonly duplicate_of?: string | null;
  readonly request?: object;
}

interface FixtureGroup {
  readonly actions?: readonly FixtureMember[];
  readonly packed?: string;
  readonly refusals?: readonly FixtureMember[];
  readonly sequences?: readonly number[];
  readonly repeated?: readonly number[];
}

/** The members of a group, with the ids and the order that jobs omit. */
function membersOf({ packed, sequences, repeated, ...listed }: FixtureGroup): readonly FixtureMember[] {
  const unpacked = packed === undefined ? listed.actions : (unpackActions(packed) as FixtureMember[]);
  const members = unpacked ?? listed.refusals ?? [];
  if (sequences === undefined) return members;
  return members.map((member, index) => {
    const sequence = sequences[index] as number;
    const first = admittedDeliveryId(member.source_id, sequence);
    return repeated?.includes(index)
      ? { ...member, sequence, delivery_id: otherDeliveryId(member.request_id), duplicate_of: first }
      : { ...member, sequence, delivery_id: first };
  });
}

/** The fields of an event that the sender set. */
function shown({
  title,
  starts_at,
  location,
  ends_at,
  description,
  url,
  price,
  recurring,
  status,
}: ListedEvent) {
  const all = { title, starts_at, location, ends_at, description, url, price, recurring, status };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
