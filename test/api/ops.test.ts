import { GROUP_VERSION } from '@sluice/contract/delivery/groups';
import type { AuditItem } from '@sluice/dashboard-api/audit';
import { createKeyspace } from '@sluice/redis/keyspace';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { expectProblem } from '../support/expect-problem.ts';
import { until } from '../support/until.ts';
import { useInstallation } from './support/installation.ts';

describe('api: ops, on a running installation', () => {
  const at = useInstallation();

  it('shows every replica, the queues, and dead letters of the account with retry and drop', async () => {
    const read = async () => await at.owner.read('/ops');
    // Each replica reports every two seconds.
    await until(async () => {
      const kinds = (await read()).replicas
        .filter(({ ready }: { ready: boolean }) => ready)
        .map(({ kind }: { kind: string }) => kind);
      return ['ingress', 'worker'].every((kind) => kinds.includes(kind));
    });
    const ops = await read();
    expect(ops.queues.map(({ name }: { name: string }) => name)).to.deep.equal(['actions', 'refusals']);
    expect(ops.redis.used_bytes).to.be.above(0);

    const redis = new Redis(at.pipeline.redis.url, { maxRetriesPerRequest: null });
    const prefix = createKeyspace(at.pipeline.namespace).prefix;
    const queue = new Queue('actions', { connection: redis, prefix });
    const source = await at.addSource();
    const action = {
      delivery_id: 'dlv_bad1',
      request_id: 'req_1',
      source_id: source.id,
      account_id: at.owner.me.account.account_id,
      sequence: 1,
      received_at: Date.now(),
      duplicate_of: null,
      action: { kind: 'explode', identity: { title: 'Bad', starts_at: 0, location: '' } },
    };
    await queue.add('group', {
      v: GROUP_VERSION,
      group_id: 'grp_1',
      actions: [action, { ...action, delivery_id: 'dlv_bad2', sequence: 2 }],
    });
    await queue.close();
    redis.disconnect();
    const letters = async (who = at.owner) => (await who.read('/ops/dead-letters')).items;
    await until(async () => (await letters()).length === 2);
    expect(await letters(at.stranger)).to.deep.equal([]);
    // This installation has no dispatcher, and other tests leave messages that are due.
    const needs = async (who = at.owner) =>
      ((await who.read('/overview')).attention as { kind: string }[]).filter(
        ({ kind }) => kind !== 'no_dispatcher',
      );
    expect(await needs(), 'on the Overview').to.deep.include({ kind: 'dead_letters', count: 2 });
    const admin = await at.api.addPerson(at.owner.me.account.account_id, 'admin');
    expect(await needs(admin), 'on the Overview of who can do nothing about it').to.deep.equal([]);
    expect(await needs(at.stranger)).to.deep.equal([]);
    expect((await letters())[0]).to.include({
      delivery_id: 'dlv_bad1',
      source_id: source.id,
      action: 'explode',
      title: 'Bad',
    });
    expectProblem(await at.stranger.call('delete', '/ops/dead-letters/dlv_bad1'), 'not_found');
    expectProblem(await at.stranger.call('post', '/ops/dead-letters/dlv_bad1/retry'), 'not_found');
    expect((await at.owner.call('delete', '/ops/dead-letters/dlv_bad1')).status).to.equal(204);
    expect((await at.owner.call('post', '/ops/dead-letters/dlv_bad2/retry')).status).to.equal(204);
    const noted = (await at.owner.read('/audit?limit=2')).items as AuditItem[];
    expect(noted.map(({ action: did, target }) => [did, target.id])).to.deep.equal([
      ['dead_letter.retried', 'dlv_bad2'],
      ['dead_letter.dropped', 'dlv_bad1'],
    ]);
    const why = (await at.owner.read('/deliveries/dlv_bad2')).why;
    expect(why).to.include({ title: 'Accepted, but not applied' });
  });

  it('shows the operators to operators only', async () => {
    const { user } = at.owner.me;
    const { items } = await at.owner.read('/ops/operators');
    expect(items).to.deep.include({ user_id: user.user_id, email: user.email, name: user.name, self: true });
    const other = await at.api.addPerson(await at.api.addAccount(), 'owner');
    await at.api.store.users.setOperator(other.me.user.user_id, false);
    expectProblem(await other.call('get', '/ops/operators'), 'forbidden');
    const after = (await at.owner.read('/ops/operators')).items as { user_id: string }[];
    expect(after.map(({ user_id }) => user_id)).to.not.include(other.me.user.user_id);
  });
});
