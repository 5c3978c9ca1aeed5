import {
  type AdmitInput,
  createAdmit,
  type RateState,
  type Ticket,
  type Verdict,
} from '@sluice/admission/admit';
import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { createKeyspace, type Keyspace } from '@sluice/admission/keyspace';
import { createSourceDirectory, type SourceDirectory } from '@sluice/admission/source-directory';
import type { SourceRecord } from '@sluice/admission/source-record';
import { type ActionGroup, type AskedAction, GROUP_VERSION } from '@sluice/contract/groups';
import { createProducer } from '@sluice/queue/producer';
import { expect } from 'chai';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

describe('admission: the script', () => {
  let redis: Redis;
  let keyspace: Keyspace;
  let directory: SourceDirectory;
  let sources = 0;

  before(() => {
    redis = new Redis(sharedRedisUrl());
  });
  beforeEach(() => {
    keyspace = createKeyspace(uniqueNamespace());
    directory = createSourceDirectory({ redis, keyspace });
  });
  after(() => redis?.disconnect());

  async function publish(overrides: Partial<SourceRecord> = {}): Promise<SourceRecord> {
    sources += 1;
    const record: SourceRecord = {
      source_id: `src_${sources}`,
      account_id: `acc_${sources}`,
      version: 1,
      active: true,
      sealed_secret: 'sealed',
      plan: 'unlimited',
      rate_per_second: null,
      rate_burst: null,
      ...overrides,
    };
    await directory.republish(record, async () => record);
    return record;
  }

  let signatures = 0;
  const action = (upsert = true): Ticket => {
    signatures += 1;
    const signature = `sha256=${signatures.toString(16).padStart(64, '0').split('').reverse().join('')}`;
    return { kind: 'action', upsert, timestamp: '1790000000', signature, rememberSeconds: 600 };
  };
  const many = (count: number, upsert = true) => Array.from({ length: count }, () => action(upsert));

  interface Options {
    readonly rate?: { perSecond: number; burst: number };
    readonly planLimit?: number | null;
    readonly backlogFull?: boolean;
  }
  interface Part {
    readonly record: SourceRecord;
    readonly tickets: readonly Ticket[];
  }
  const admit = (record: SourceRecord, tickets: readonly Ticket[], options?: Options) =>
    admitTogether([{ record, tickets }], options);
  /** A group of several sources. */
  function admitTogether(parts: readonly Part[], options: Options = {}): Promise<Verdict[]> {
    const { rate = { perSecond: 1000, burst: 100_000 }, planLimit = null, backlogFull = false } = options;
    const input: AdmitInput = {
      sources: parts.map(({ record, tickets }) => ({
        record,
        rate,
        planLimit,
        tickets,
        asked: (index) => asked(record, index),
      })),
      backlogFull,
      groupId: 'grp_test',
      nowMs: NOW,
    };
    return createAdmit({ redis, keyspace, badSignaturesPerMinute: 10 })(input);
  }
  /** What the jobs hold, the oldest first. */
  async function queued(): Promise<unknown[]> {
    const ids = (await redis.lrange(`${keyspace.prefix}:actions:wait`, 0, -1)).reverse();
    const jobs = await Promise.all(ids.map((id) => redis.hget(`${keyspace.prefix}:actions:${id}`, 'data')));
    return jobs.map((data) => JSON.parse(data as string));
  }
  /** Everything that a queue is made of, but for times. */
  async function queueKeys(prefix: string): Promise<Record<string, unknown>> {
    const key = (name: string) => `${prefix}:actions:${name}`;
    const { timestamp, ...job } = await redis.hgetall(key('1'));
    expect(timestamp).to.match(/^\d{13}$/);
    const events = (await redis.xrange(key('events'), '-', '+')).map(([, fields]) => fields);
    const lists = {
      wait: await redis.lrange(key('wait'), 0, -1),
      marker: await redis.zrange(key('marker'), '0', '-1'),
    };
    const names = (await redis.keys(`${prefix.replaceAll(/[{}]/g, '\\$&')}:actions:*`)).map((name) =>
      name.slice(prefix.length),
    );
    return {
      job,
      events,
      ...lists,
      id: await redis.get(key('id')),
      meta: await redis.hgetall(key('meta')),
      names: names.sort(),
    };
  }
  /** Of another month than this machine's: whoever asks says which one counts. */
  const NOW = Date.UTC(2026, 4, 31, 23, 59);
  const asked = ({ source_id, account_id }: SourceRecord, index: number): AskedAction => ({
    request_id: `req_${index}`,
    source_id,
    account_id,
    received_at: NOW,
    action: { kind: 'cancel', identity: { title: `Übung ${index} 🎉`, starts_at: NOW, location: 'Genk' } },
  });
  const outcomes = (verdicts: readonly Verdict[]) => verdicts.map((verdict) => verdict.outcome);
  const sequences = (verdicts: readonly Verdict[]) =>
    verdicts.flatMap((verdict) => ('sequence' in verdict ? [verdict.sequence] : []));

  it('numbers rise strictly, within a group and from group to group, and are microseconds of Redis time', async () => {
    const record = await publish();
    const numbers = [
      ...sequences(await admit(record, many(50))),
      ...sequences(await admit(record, many(50))),
    ];
    expect(numbers).to.have.length(100);
    for (let i = 1; i < numbers.length; i++) expect(numbers[i]).to.be.above(numbers[i - 1] as number);
    expect((numbers[0] as number) / 1000).to.be.closeTo(Date.now(), 60_000);
    expect(Number.isSafeInteger(numbers[99])).to.equal(true);
  });

  it('a clock of Redis that jumped back does not make numbers fall, nor lock the source out', async () => {
    const record = await publish();
    const ahead = (Date.now() + 600_000) * 1000;
    await redis.hset(keyspace.source(record.source_id), 'seq', ahead, 'tat', ahead);
    const [verdict] = await admit(record, [action()], { rate: { perSecond: 100, burst: 10 } });
    // The burst is used up, as it may have been, but it is free again within the window, not in ten minutes.
    expect(verdict).to.include({ outcome: 'rate_limited', retryAfterSeconds: 1 });
    let admitted: Awaited<ReturnType<typeof admit>> = [];
    await until(async () => {
      admitted = await admit(record, [action()], { rate: { perSecond: 100, burst: 10 } });
      return admitted[0]?.outcome === 'admitted';
    });
    expect(sequences(admitted)).to.deep.equal([ahead + 1]);
    expect(sequences(await admit(record, [action()])), 'and the next').to.deep.equal([ahead + 2]);
  });

  it('compares the version of every ticket: a stale one is sent back, and nothing of it is used up', async () => {
    const record = await publish();
    await directory.republish(record, async () => ({ ...record, version: 2 }));
    expect(
      outcomes(
        await admit(record, [action(), { kind: 'badly_signed', code: 'signature_invalid', address: 'a' }]),
      ),
    ).to.deep.equal(['stale', 'stale']);
    expect(
      outcomes(await admit({ ...record, version: 2 }, [action()], { rate: { perSecond: 1, burst: 1 } })),
    ).to.deep.equal(['admitted']);
  });

  it('admits exactly the burst and no more, with the wait until the next', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 60 }),
        async (perSecond, burst, count) => {
          const record = await publish();
          const verdicts = await admit(record, many(count), { rate: { perSecond, burst } });
          expect(verdicts.filter((verdict) => verdict.outcome === 'admitted')).to.have.length(
            Math.min(burst, count),
          );
          verdicts.forEach((verdict, i) => {
            if (verdict.outcome === 'admitted') expect(verdict.rate.remaining).to.equal(burst - i - 1);
            if (verdict.outcome === 'rate_limited') expect(verdict.retryAfterSeconds).to.equal(1);
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  it('admits exactly the burst where the rate does not divide a second into whole microseconds', async () => {
    for (const perSecond of [7, 60, 900]) {
      const record = await publish();
      const verdicts = await admit(record, many(60), { rate: { perSecond, burst: 60 } });
      expect(outcomes(verdicts), `${perSecond} a second`).to.deep.equal(Array(60).fill('admitted'));
      const left = verdicts.map((verdict) => 'rate' in verdict && verdict.rate.remaining);
      expect(left, `${perSecond} a second`).to.deep.equal(verdicts.map((_, i) => 59 - i));
    }
  });

  it('the rate is one for all replicas: groups of several add up', async () => {
    const record = await publish();
    const groups = await Promise.all(
      Array.from({ length: 10 }, () => admit(record, many(30), { rate: { perSecond: 1, burst: 100 } })),
    );
    expect(groups.flat().filter((verdict) => verdict.outcome === 'admitted')).to.have.length(100);
  });

  it('every signed request costs one of the rate, whatever becomes of it, and the wait is until one is free', async () => {
    const record = await publish();
    const rate = { perSecond: 0.01, burst: 3 };
    const repeated = action();
    await admit(record, [{ kind: 'refused' }], { rate });
    const verdicts = await admit(record, [repeated, repeated, action()], { rate });
    expect(outcomes(verdicts)).to.deep.equal(['admitted', 'duplicate', 'rate_limited']);
    // A slow machine has a second or two back by then.
    const [, last, over] = verdicts as [Verdict, Verdict & { rate: RateState }, Verdict];
    expect(last.rate.remaining).to.equal(0);
    expect(last.rate.resetSeconds).to.be.within(290, 300);
    expect('retryAfterSeconds' in over && over.retryAfterSeconds).to.be.within(90, 100);
  });

  it('the wait and the time until all is free are whole seconds, after which they are over', async () => {
    const record = await publish();
    // Half a microsecond beyond two seconds each: it is rounded in the sender's favour.
    const rate = { perSecond: 1_000_000 / 2_000_000.5, burst: 1 };
    const [first, second] = await admit(record, [action(), action()], { rate });
    expect(first).to.deep.include({ outcome: 'admitted', rate: { remaining: 0, resetSeconds: 2 } });
    expect(second).to.deep.include({ outcome: 'rate_limited', retryAfterSeconds: 2 });
    const other = await publish();
    const [third] = await admit(other, [action()], { rate: { perSecond: 2 / 3, burst: 1 } });
    expect(third).to.deep.include({ rate: { remaining: 0, resetSeconds: 2 } });
  });

  it('what is imported costs the rate nothing, also where nothing is left; its upserts count towards the plan', async () => {
    const record = await publish();
    const imported = (upsert: boolean): Ticket => ({ ...action(upsert), imported: true }) as Ticket;
    const verdicts = await admit(
      record,
      [imported(false), imported(true), action(), imported(false), imported(true), imported(true)],
      { rate: { perSecond: 0.01, burst: 1 }, planLimit: 3 },
    );
    expect(outcomes(verdicts)).to.deep.equal([...Array(5).fill('admitted'), 'plan_limit']);
    const left = verdicts.map((verdict) => 'rate' in verdict && verdict.rate.remaining);
    expect(left).to.deep.equal([1, 1, 0, 0, 0, 0]);
    expect(await redis.get(keyspace.planUse(record.account_id, '2026-05'))).to.equal('3');
  });

  it('what a source that is switched off is sent costs its rate nothing', async () => {
    const record = await publish({ active: false });
    const verdicts = await admit(record, many(3), { rate: { perSecond: 1, burst: 2 } });
    expect(verdicts).to.deep.equal(
      Array(3).fill({ outcome: 'inactive', rate: { remaining: 2, resetSeconds: 0 } }),
    );
  });

  it('while a source is changed it refuses what is not signed, and nothing else; then the rest is stale', async () => {
    const record = await publish();
    const tickets: Ticket[] = [
      { kind: 'unverified', code: 'signature_missing' },
      { kind: 'badly_signed', code: 'signature_invalid', address: 'a' },
      { kind: 'refused' },
      action(),
    ];
    const first = 'refused_unverified';
    await directory.fence(record.source_id);
    expect(outcomes(await admit(record, tickets))).to.deep.equal([first, ...Array(3).fill('changing')]);
    await redis.hset(keyspace.source(record.source_id), 'fenced_until', Date.now() - 1);
    expect(outcomes(await admit(record, tickets))).to.deep.equal([first, ...Array(3).fill('stale')]);
  });

  it('the same timestamp and signature at two sources are two requests', async () => {
    const [one, other] = [await publish(), await publish()];
    const same = [action()];
    const parts = [one, other].map((record) => ({ record, tickets: same }));
    expect(outcomes(await admitTogether(parts))).to.deep.equal(['admitted', 'admitted']);
    expect(outcomes(await admitTogether(parts))).to.deep.equal(['duplicate', 'duplicate']);
  });

  it('counts only accepted upserts towards the plan, and never beyond it', async () => {
    const record = await publish();
    const first = await admit(record, [...many(3), ...many(4, false)], { planLimit: 5 });
    expect(new Set(outcomes(first))).to.deep.equal(new Set(['admitted']));
    expect(outcomes(await admit(record, [...many(4), action(false)], { planLimit: 5 }))).to.deep.equal([
      'admitted',
      'admitted',
      'plan_limit',
      'plan_limit',
      'admitted',
    ]);
    expect(await redis.get(keyspace.planUse(record.account_id, '2026-05'))).to.equal('5');
  });

  it('the limit of a plan is exact over all sources of an account, also within one group', async () => {
    const record = await publish();
    const other = await publish({ account_id: record.account_id });
    const group = [record, other].map((one) => ({ record: one, tickets: many(3) }));
    expect(outcomes(await admitTogether(group, { planLimit: 4 }))).to.deep.equal([
      ...Array(4).fill('admitted'),
      ...Array(2).fill('plan_limit'),
    ]);
    expect(await redis.get(keyspace.planUse(record.account_id, '2026-05'))).to.equal('4');
  });

  it('what was accepted before is a duplicate, though the plan has no upsert left by now', async () => {
    const record = await publish();
    const known = action();
    const before = await admit(record, [known], { planLimit: 1 });
    const verdicts = await admit(record, [known, action()], { planLimit: 1 });
    expect(outcomes(verdicts)).to.deep.equal(['duplicate', 'plan_limit']);
    expect(sequences(verdicts)).to.deep.equal(sequences(before));
  });

  it('a plan of no upserts lets none pass, and with the backlog full that is still what is said of them', async () => {
    const record = await publish();
    const tickets = () => [action(), action(false)];
    expect(outcomes(await admit(record, tickets(), { planLimit: 0 }))).to.deep.equal([
      'plan_limit',
      'admitted',
    ]);
    expect(outcomes(await admit(record, tickets(), { planLimit: 0, backlogFull: true }))).to.deep.equal([
      'plan_limit',
      'backlog_full',
    ]);
  });

  it('requests whose signatures differ as late as in the 16th digit are two', async () => {
    const record = await publish();
    const signedAs = (digits: string): Ticket => ({
      kind: 'action',
      upsert: true,
      timestamp: '1790000000',
      signature: `sha256=${digits.padEnd(64, '0')}`,
      rememberSeconds: 600,
    });
    const tickets = [signedAs(''), signedAs('0000000000000001')];
    expect(outcomes(await admit(record, tickets))).to.deep.equal(['admitted', 'admitted']);
  });

  it('with the backlog full it admits nothing new, but knows what it has admitted before', async () => {
    const record = await publish();
    const known = action();
    const [first] = await admit(record, [known]);
    const verdicts = await admit(record, [known, action(), { kind: 'refused' }], { backlogFull: true });
    expect(outcomes(verdicts)).to.deep.equal(['duplicate', 'backlog_full', 'refused']);
    expect(sequences(verdicts)).to.deep.equal(sequences([first as Verdict]));
  });

  it('enqueues what it admits, and what repeats it, as one job; nothing else', async () => {
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

  it('a job holds what was admitted and only that: of all sources, in their order, whatever script it is written in', async () => {
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

  it('beyond the rows of a minute it counts what is blocked as that, and the rest by its code; without an address nothing is blocked', async () => {
    const record = await publish();
    const [count, limit] = [12, 10];
    const badlySigned = (address: string | null): Ticket[] =>
      Array(count).fill({ kind: 'badly_signed', code: 'signature_invalid', address });
    const unsigned: Ticket[] = Array(100).fill({ kind: 'unverified', code: 'signature_missing' });
    const verdicts = await admit(record, [...unsigned, ...badlySigned('203.0.113.7'), ...badlySigned(null)]);
    const told = (logged: boolean, blocked: boolean) => ({ outcome: 'refused_unverified', logged, blocked });
    expect(verdicts).to.deep.equal([
      ...Array(100).fill(told(true, false)),
      ...Array(limit).fill(told(false, false)),
      ...Array(count - limit).fill(told(false, true)),
      ...Array(count).fill(told(false, false)),
    ]);
    const counts = await createFoldedRefusals({ redis, keyspace }).read();
    expect(counts.map(({ code, count }) => ({ code, count }))).to.have.deep.members([
      { code: 'signature_invalid', count: count + limit },
      { code: 'too_many_bad_signatures', count: count - limit },
    ]);
  });

  it('makes the very job that BullMQ makes', async () => {
    const record = await publish();
    const theirs = uniqueNamespace();
    const producer = createProducer({ redis, prefix: createKeyspace(theirs).prefix });
    const ours = createProducer({ redis, prefix: keyspace.prefix });
    await ours.backlog();
    await admit(record, [action()]);
    const [group] = await queued();
    await producer.enqueueActions(group as ActionGroup);
    const [made, added] = [await queueKeys(keyspace.prefix), await queueKeys(createKeyspace(theirs).prefix)];
    expect(made).to.deep.equal(added);
    await Promise.all([producer.close(), ours.close()]);
  });

  it('every key it makes is in one slot and, but for sources and unsettled counts, lives for as long as it counts', async () => {
    const record = await publish();
    await admit(record, [
      action(),
      { kind: 'unverified', code: 'signature_missing' },
      { kind: 'badly_signed', code: 'signature_invalid', address: '203.0.113.7' },
    ]);
    const keys = await redis.keys(`${keyspace.prefix.replaceAll(/[{}]/g, '\\$&')}*`);
    expect(keys.every((key) => key.startsWith(`${keyspace.prefix}:`))).to.equal(true);
    const lasting: string[] = [];
    const queue = `${keyspace.prefix}:actions:`;
    for (const key of keys) if (!key.startsWith(queue) && (await redis.ttl(key)) < 0) lasting.push(key);
    expect(lasting).to.deep.equal([keyspace.source(record.source_id)]);
    const day = 86_400;
    for (const [what, least, most] of [
      ['seen', 500, 600],
      // No month is longer than 31 days, and no minute than 60 seconds.
      ['plan', 31 * day, 40 * day],
      ['unverified', 61, 120],
      ['bad-signatures', 61, 120],
    ] as const) {
      const found = keys.filter((key) => key.startsWith(`${keyspace.prefix}:${what}:`));
      expect(found, what).to.have.length(1);
      expect(await redis.ttl(found[0] as string), what).to.be.within(least, most);
    }
  });
});
