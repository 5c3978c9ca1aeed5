import {
  type ActionGroup,
  GROUP_VERSION,
  ID_GROUP_VERSION,
  type PackedGroup,
} from '@sluice/contract/delivery/groups';
import { unpackActions } from '@sluice/queue/packed-actions';
import { createProducer } from '@sluice/queue/producer';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { asked, outcomes, sequences, useAdmission } from './support/use-admission.ts';

describe('admission: the jobs of the script', () => {
  const { redis, keyspace, publish, action, many, admit, admitTogether, queued } = useAdmission();

  /** All data of a queue, without times. */
  async function queueKeys(prefix: string): Promise<Record<string, unknown>> {
    const key = (name: string) => `${prefix}:actions:${name}`;
    const { timestamp, ...job } = await redis().hgetall(key('1'));
    expect(timestamp).to.match(/^\d{13}$/);
    const events = (await redis().xrange(key('events'), '-', '+')).map(([, fields]) => fields);
    const lists = {
      wait: await redis().lrange(key('wait'), 0, -1),
      marker: await redis().zrange(key('marker'), '0', '-1'),
    };
    const names = (await redis().keys(`${prefix.replaceAll(/[{}]/g, '\\$&')}:actions:*`)).map((name) =>
      name.slice(prefix.length),
    );
    return {
      job,
      events,
      ...lists,
      id: await redis().get(key('id')),
      meta: await redis().hgetall(key('meta')),
      names: names.sort(),
    };
  }

  it('enqueues admitted actions and their duplicates as one job, and nothing else', async () => {
    const record = await publish();
    const first = action();
    const [before] = sequences(await admit(record, [first]));
    const verdicts = await admit(record, [action(), { kind: 'refused' }, first]);
    expect(outcomes(verdicts)).to.deep.equal(['admitted', 'refused', 'duplicate']);
    await admit(record, [action()], { backlogFull: true });
    await admit(record, [{ kind: 'unverified', code: 'signature_missing' }]);
    const jobs = await queued();
    expect(jobs).to.have.length(2);
    const [admitted, duplicate] = [sequences(verdicts)[0], before];
    expect(jobs[1]).to.deep.equal({
      v: GROUP_VERSION,
      group_id: 'grp_test',
      sequences: [admitted, duplicate],
      repeated: [1],
      actions: [asked(record, 0), asked(record, 2)],
    });
  });

  it('puts exactly the admitted actions of all sources into a job, in their order and in any script', async () => {
    const [first, second] = [await publish(), await publish()];
    const stale = { ...(await publish()), version: 2 };
    const repeated = action();
    const parts = [
      { record: first, tickets: [repeated, action(), { kind: 'refused' } as const, repeated] },
      { record: stale, tickets: [action()] },
      { record: second, tickets: [action(false), action(), action()] },
    ];
    const verdicts = await admitTogether(parts, { planLimit: 1 });
    expect(outcomes(verdicts)).to.deep.equal([
      ...['admitted', 'plan_limit', 'refused', 'duplicate'],
      'stale',
      ...['admitted', 'admitted', 'plan_limit'],
    ]);
    const [job] = await queued();
    expect(job).to.deep.include({
      sequences: sequences(verdicts),
      repeated: [1],
      actions: [asked(first, 0), asked(first, 3), asked(second, 0), asked(second, 1)],
    });
  });

  it('packs the actions of a group while many groups wait, and names their order as before', async () => {
    const [first, second] = [await publish(), await publish()];
    const parts = [first, second].map((record) => ({ record, tickets: many(16) }));
    const verdicts = await admitTogether(parts, { pack: true });
    const [job] = (await queued()) as PackedGroup[];
    expect(job).to.have.all.keys('v', 'group_id', 'sequences', 'repeated', 'packed');
    expect(job).to.deep.include({ v: GROUP_VERSION, sequences: sequences(verdicts), repeated: [] });
    const all = [first, second].flatMap((record) => parts[0]?.tickets.map((_, i) => asked(record, i)));
    expect(unpackActions(job?.packed)).to.deep.equal(all);
  });

  it('has the next version if one of its actions has an external_id, so that older workers leave it', async () => {
    const record = await publish();
    const identity = { title: '', starts_at: 0, location: '' };
    const more = { action: { kind: 'cancel', identity, external_id: 'A' } } as const;
    const parts = [
      { record, tickets: [action()] },
      { record: await publish(), tickets: [action()], more },
    ];
    await admitTogether(parts);
    await admit(record, [action()]);
    const jobs = (await queued()) as ActionGroup[];
    expect(jobs.map(({ v }) => v)).to.deep.equal([ID_GROUP_VERSION, GROUP_VERSION]);
  });

  it('lists exactly the admitted actions of a packed group of which one was rejected', async () => {
    const record = await publish();
    await admit(record, many(32), { pack: true, planLimit: 31 });
    const [job] = await queued();
    expect(job)
      .to.have.property('actions')
      .that.deep.equals(Array.from({ length: 31 }, (_, i) => asked(record, i)));
  });

  it('does not pack a small group, which would hardly shrink', async () => {
    await admit(await publish(), many(2), { pack: true });
    expect((await queued())[0])
      .to.have.property('actions')
      .with.length(2);
  });

  it('makes the same job as BullMQ', async () => {
    const record = await publish();
    const theirs = uniqueNamespace();
    const producer = createProducer({ redis: redis(), prefix: createKeyspace(theirs).prefix });
    const ours = createProducer({ redis: redis(), prefix: keyspace().prefix });
    await ours.backlog();
    await admit(record, [action()]);
    const [group] = await queued();
    await producer.enqueueActions(group as ActionGroup);
    const [made, added] = [
      await queueKeys(keyspace().prefix),
      await queueKeys(createKeyspace(theirs).prefix),
    ];
    expect(made).to.deep.equal(added);
    await Promise.all([producer.close(), ours.close()]);
  });
});
