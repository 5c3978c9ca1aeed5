import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { createHoldSource } from '@sluice/admission/hold-source';
import type { Ticket } from '@sluice/admission/ticket';
import type { Verdict } from '@sluice/admission/verdict';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { outcomes, sequences, useAdmission } from './support/use-admission.ts';

describe('admission: the script', () => {
  const { redis, keyspace, directory, publish, action, many, admit, admitTogether } = useAdmission();

  it('gives strictly rising sequence numbers, in microseconds of Redis time', async () => {
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

  it('keeps numbers rising and the source open after the clock of Redis jumps back', async () => {
    const record = await publish();
    const ahead = (Date.now() + 600_000) * 1000;
    await redis().hset(keyspace().source(record.source_id), 'seq', ahead, 'tat', ahead);
    const [verdict] = await admit(record, [action()], { rate: { perSecond: 100, burst: 10 } });
    // The burst may be used up, but it is free again within the window, not in ten minutes.
    expect(verdict).to.include({ outcome: 'rate_limited', retryAfterSeconds: 1 });
    let admitted: Awaited<ReturnType<typeof admit>> = [];
    await until(async () => {
      admitted = await admit(record, [action()], { rate: { perSecond: 100, burst: 10 } });
      return admitted[0]?.outcome === 'admitted';
    });
    expect(sequences(admitted)).to.deep.equal([ahead + 1]);
    expect(sequences(await admit(record, [action()])), 'and the next').to.deep.equal([ahead + 2]);
  });

  it('returns a ticket with a stale version, without using rate or plan', async () => {
    const record = await publish();
    await directory().republish(record, async () => ({ ...record, version: 2 }));
    expect(
      outcomes(
        await admit(record, [action(), { kind: 'badly_signed', code: 'signature_invalid', address: 'a' }]),
      ),
    ).to.deep.equal(['stale', 'stale']);
    expect(
      outcomes(await admit({ ...record, version: 2 }, [action()], { rate: { perSecond: 1, burst: 1 } })),
    ).to.deep.equal(['admitted']);
  });

  it('rejects only unsigned requests while a source is changed, and returns the others as stale after the change', async () => {
    const record = await publish();
    const tickets: Ticket[] = [
      { kind: 'unverified', code: 'signature_missing' },
      { kind: 'badly_signed', code: 'signature_invalid', address: 'a' },
      { kind: 'refused' },
      action(),
    ];
    const first = 'refused_unverified';
    await directory().fence(record.source_id);
    expect(outcomes(await admit(record, tickets))).to.deep.equal([first, ...Array(3).fill('changing')]);
    await redis().hset(keyspace().source(record.source_id), 'fenced_until', Date.now() - 1);
    expect(outcomes(await admit(record, tickets))).to.deep.equal([first, ...Array(3).fill('stale')]);
  });

  it('treats the same timestamp and signature at two sources as two requests', async () => {
    const [one, other] = [await publish(), await publish()];
    const same = [action()];
    const parts = [one, other].map((record) => ({ record, tickets: same }));
    expect(outcomes(await admitTogether(parts))).to.deep.equal(['admitted', 'admitted']);
    expect(outcomes(await admitTogether(parts))).to.deep.equal(['duplicate', 'duplicate']);
  });

  it('distinguishes requests whose signatures differ only in the 16th digit', async () => {
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

  it('admits nothing new while the backlog is full, but recognises duplicates', async () => {
    const record = await publish();
    const known = action();
    const [first] = await admit(record, [known]);
    const verdicts = await admit(record, [known, action(), { kind: 'refused' }], { backlogFull: true });
    expect(outcomes(verdicts)).to.deep.equal(['duplicate', 'backlog_full', 'refused']);
    expect(sequences(verdicts)).to.deep.equal(sequences([first as Verdict]));
  });

  it('admits nothing new of a source that is held, for at most 10 s, and recognises duplicates', async () => {
    const [held, other] = [await publish(), await publish()];
    const shards = { ...createShards('unused', 1), of: () => keyspace() };
    const hold = createHoldSource({ redis: redis(), shards });
    const known = action();
    await admit(held, [known]);
    await hold(held);
    const both = () => [
      { record: held, tickets: [known, action()] },
      { record: other, tickets: [action()] },
    ];
    expect(outcomes(await admitTogether(both()))).to.deep.equal(['duplicate', 'backlog_full', 'admitted']);
    const key = keyspace().source(held.source_id);
    const until = Number(await redis().hget(key, 'held_until'));
    expect(until - Date.now()).to.be.within(1, 10_000);
    // In the past, and as left by a clock that was set back.
    for (const heldUntil of [Date.now() - 1, Date.now() + 60_000]) {
      await redis().hset(key, 'held_until', heldUntil);
      expect(outcomes(await admit(held, [action()]))).to.deep.equal(['admitted']);
    }
    await hold({ ...held, source_id: 'src_unknown' });
    expect(await redis().exists(keyspace().source('src_unknown'))).to.equal(0);
  });

  it('counts wrong signatures of an address over its limit without a row each, and blocks nothing without an address', async () => {
    const record = await publish();
    const [count, limit] = [12, 10];
    const badlySigned = (address: string): Ticket[] =>
      Array(count).fill({ kind: 'badly_signed', code: 'signature_invalid', address });
    const unsigned: Ticket[] = Array(100).fill({ kind: 'unverified', code: 'signature_missing' });
    const verdicts = await admit(record, [...unsigned, ...badlySigned('203.0.113.7'), ...badlySigned('')]);
    const told = (logged: boolean) => ({ outcome: 'refused_unverified', logged });
    const [blocked] = verdicts.filter(({ outcome }) => outcome === 'too_many_bad_signatures');
    expect(verdicts).to.deep.equal([
      ...Array(100).fill(told(true)),
      ...Array(limit).fill(told(false)),
      ...Array(count - limit).fill(blocked),
      ...Array(count).fill(told(false)),
    ]);
    const counts = await createFoldedRefusals({ redis: redis(), keyspace: keyspace() }).read();
    expect(counts.map(({ code, count }) => ({ code, count }))).to.have.deep.members([
      { code: 'signature_invalid', count: count + limit },
      { code: 'too_many_bad_signatures', count: count - limit },
    ]);
  });

  it('counts a wrong signature by its secret, also over the limit', async () => {
    const record = await publish();
    const badly: Ticket[] = Array(11).fill({
      kind: 'badly_signed',
      code: 'signature_invalid',
      address: '203.0.113.9',
      signedWith: 'previous',
    });
    expect((await admit(record, badly)).at(-1)).to.include({ outcome: 'too_many_bad_signatures' });
    const [counted] = await createFoldedRefusals({ redis: redis(), keyspace: keyspace() }).read();
    expect(counted).to.include({ code: 'too_many_bad_signatures', signed_with: 'previous', count: 1 });
  });

  it("returns the time until the end of Redis's minute to an address over its limit", async () => {
    const record = await publish();
    const badly: Ticket[] = Array(11).fill({
      kind: 'badly_signed',
      code: 'signature_invalid',
      address: '203.0.113.10',
    });
    const over = (await admit(record, badly)).at(-1);
    const [seconds] = await redis().time();
    const left = 60 - (Number(seconds) % 60);
    if (over?.outcome !== 'too_many_bad_signatures') throw new Error(over?.outcome);
    // The minute may end between the two reads of the clock.
    expect([left, left + 1, left - 59]).to.include(over.retryAfterSeconds);
  });

  it('returns a wrong signature of a blocked address to be verified again if the source has changed', async () => {
    const record = await publish();
    const old = { ...record, version: record.version - 1 };
    const badly: Ticket = { kind: 'badly_signed', code: 'signature_invalid', address: 'a' };
    expect(new Set(outcomes(await admit(old, Array(11).fill(badly))))).to.deep.equal(new Set(['stale']));
  });

  it('makes all keys in one slot, with an expiry except for sources and unsettled counts', async () => {
    const record = await publish();
    await admit(record, [
      action(),
      { kind: 'unverified', code: 'signature_missing' },
      { kind: 'badly_signed', code: 'signature_invalid', address: '203.0.113.7' },
    ]);
    const keys = await redis().keys(`${keyspace().prefix.replaceAll(/[{}]/g, '\\$&')}*`);
    expect(keys.every((key) => key.startsWith(`${keyspace().prefix}:`))).to.equal(true);
    const lasting: string[] = [];
    const queue = `${keyspace().prefix}:actions:`;
    for (const key of keys) if (!key.startsWith(queue) && (await redis().ttl(key)) < 0) lasting.push(key);
    expect(lasting).to.deep.equal([keyspace().source(record.source_id)]);
    const day = 86_400;
    for (const [what, least, most] of [
      ['seen', 500, 600],
      // No month is longer than 31 days, and no minute than 60 seconds.
      ['plan', 31 * day, 40 * day],
      ['unverified', 61, 120],
      ['bad-signatures', 61, 120],
    ] as const) {
      const found = keys.filter((key) => key.startsWith(`${keyspace().prefix}:${what}:`));
      expect(found, what).to.have.length(1);
      expect(await redis().ttl(found[0] as string), what).to.be.within(least, most);
    }
  });
});
