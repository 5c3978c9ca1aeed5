import { createAccount } from '@sluice/accounts/account/create-account';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@sluice/contract/time/durations';
import type { Ops } from '@sluice/dashboard-api/ops';
import type { Overview } from '@sluice/dashboard-api/overview';
import type { OverviewParts } from '@sluice/dashboard-api/overview-parts';
import { type Activity, createActivity } from '@sluice/monitoring/activity';
import type { ReplicaState } from '@sluice/monitoring/replicas';
import { createKeyspace, type Keyspace } from '@sluice/redis/keyspace';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { type Person, startApi } from '../support/api.ts';
import { created } from '../support/created.ts';
import { use } from '../support/use.ts';

/** The clock is fixed at 34 minutes and 56 seconds past the hour. */
const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 34 * MINUTE_MS + 56_000;

describe('api: the numbers of Overview and Ops', () => {
  const api = use(() => startApi({ now: () => NOW, config: { DELIVERY_RETENTION_DAYS: 7 } }));
  let keyspace: Keyspace;
  let activity: Activity;
  let owner: Person;
  let accountId: string;
  before(async () => {
    keyspace = createKeyspace(api.namespace);
    activity = createActivity({ redis: api.redis, keyspace, onError: () => undefined });
  });
  beforeEach(async () => {
    const made = created(await createAccount(api.deps, { name: 'Acme', plan: 'free' }));
    accountId = made.account.account_id;
    owner = await api.addPerson(accountId, 'owner');
  });
  after(async () => {
    await activity?.close();
  });

  const overview = async (): Promise<Overview> => await owner.read('/overview');
  const replica = async (id: string, given: Partial<ReplicaState>) => {
    const well = { replica_id: id, kind: 'worker', host: 'a', pid: 1, trouble: null, started_at: NOW };
    await api.redis.hset(keyspace.replicas, id, JSON.stringify({ ...well, last_seen_at: NOW, ...given }));
  };

  it('contain the plan: its use this calendar month, and its limit', async () => {
    const month = new Date(NOW).toISOString().slice(0, 7);
    await api.redis.set(keyspace.planUse(accountId, month), '2');
    await api.redis.set(keyspace.planUse(accountId, '2020-01'), '3');
    expect((await overview()).plan).to.deep.equal({ name: 'free', used: 2, limit: 3 });
  });

  it('contain the lag at each point, of the account only', async () => {
    const other = await api.addAccount();
    activity.add(accountId, NOW, 'lag:40');
    activity.add(other, NOW, 'lag:90');
    await activity.flush();
    const { points, totals } = await overview();
    expect(points.at(-1)?.lag_ms.p99).to.be.a('number').and.equal(totals.lag_ms.p99);
    expect(points.at(-2)?.lag_ms.p99).to.equal(null);
  });

  it('contain parts of a chart, by whole minutes for a day and whole hours before, for a month up to now', async () => {
    const partsOf = async (from: number, to: number): Promise<[from: number, to: number]> => {
      const [since, until] = [from, to].map((at) => new Date(at).toISOString());
      const parts: OverviewParts = await owner.read(`/overview/parts?from=${since}&to=${until}`);
      return [Date.parse(parts.from), Date.parse(parts.to)];
    };
    const hour = Math.floor(NOW / HOUR_MS) * HOUR_MS;
    const minute = hour + 34 * MINUTE_MS;
    expect(await partsOf(NOW - DAY_MS, NOW - DAY_MS + 1)).to.deep.equal([
      minute - DAY_MS,
      minute + MINUTE_MS - DAY_MS,
    ]);
    expect(await partsOf(NOW - DAY_MS - 1, NOW - DAY_MS)).to.deep.equal([
      hour - DAY_MS,
      hour + HOUR_MS - DAY_MS,
    ]);
    const [first, last] = await partsOf(Date.parse('1970-01-01T00:00:00Z'), NOW + 1000 * DAY_MS);
    expect([first, last]).to.deep.equal([hour - 31 * DAY_MS, hour + HOUR_MS]);
  });

  it('contain one day for each day that the log keeps', async () => {
    expect((await owner.read('/overview/days')).items).to.have.length(7);
  });

  it('show a process as gone after ten seconds without a report, and one in trouble as not ready', async () => {
    await replica('gone', { last_seen_at: NOW - 10_000, pid: 3 });
    await replica('here', { last_seen_at: NOW - 9_999, pid: 1 });
    await replica('troubled', { trouble: 'no key', pid: 2 });
    const { replicas }: Ops = await owner.read('/ops');
    expect(replicas.map(({ replica_id, gone, ready }) => ({ replica_id, gone, ready }))).to.deep.equal([
      { replica_id: 'here', gone: false, ready: true },
      { replica_id: 'troubled', gone: false, ready: false },
      { replica_id: 'gone', gone: true, ready: false },
    ]);
    expect((await overview()).now.workers).to.equal(2);
  });

  it('report missing dispatchers while messages are overdue, unless one reports that it is ready', async () => {
    const needs = async () => (await overview()).attention;
    expect(await needs(), 'nothing is due').to.deep.equal([]);
    await api.redis.zadd(
      keyspace.cursors,
      Date.now() - 40_000,
      'sub_late',
      Date.now() + HOUR_MS,
      'sub_later',
    );
    try {
      const { subscriptions }: Ops = await owner.read('/ops');
      expect(subscriptions?.due).to.equal(1);
      expect(subscriptions?.oldest_due_ms).to.be.within(40_000, 100_000);
      const [need] = await needs();
      expect(need?.kind === 'no_dispatcher' && need.overdue_ms).to.be.within(40_000, 100_000);
      const other = await api.addPerson(accountId, 'owner');
      await api.store.users.setOperator(other.me.user.user_id, false);
      const shown: Ops = await other.read('/ops');
      expect(shown, 'to an owner who is no operator').to.not.have.property('subscriptions');
      expect(shown.undispatched).to.equal(true);
      const admin = await api.addPerson(accountId, 'admin');
      const { attention }: Overview = await admin.read('/overview');
      expect(attention, 'without a number').to.deep.equal([{ kind: 'no_dispatcher', overdue_ms: null }]);
      await replica('waiting', { kind: 'dispatcher', trouble: 'MongoDB is not available' });
      expect((await other.read('/ops')).undispatched, 'with one that reports').to.equal(false);
      expect(await needs(), 'with one in trouble').to.have.length(1);
      await replica('well', { kind: 'dispatcher', pid: 2 });
      expect(await needs(), 'with one that is ready').to.deep.equal([]);
      await replica('well', { kind: 'dispatcher', pid: 2, last_seen_at: NOW - 10_000 });
      expect(await needs(), 'with one that is gone').to.have.length(1);
    } finally {
      await api.redis.del(keyspace.cursors);
      await api.redis.hdel(keyspace.replicas, 'waiting', 'well');
    }
  });

  it('contain the queue depth and the age of the oldest group', async () => {
    const queue = new Queue('actions', { connection: api.redis, prefix: keyspace.prefix });
    try {
      await queue.add('group', {}, { timestamp: NOW - 5000 });
      await queue.add('group', {}, { timestamp: NOW - 4000 });
      await queue.add('group', {}, { timestamp: NOW, delay: HOUR_MS });
      const { now } = await overview();
      expect(now).to.include({ queue_depth: 3, oldest_waiting_ms: 5000 });
      const { queues }: Ops = await owner.read('/ops');
      expect(queues.find(({ name }) => name === 'actions')).to.deep.equal({
        ...{ name: 'actions', waiting: 2, active: 0, delayed: 1, oldest_waiting_ms: 5000 },
      });
    } finally {
      await queue.obliterate({ force: true });
      await queue.close();
    }
  });
});
