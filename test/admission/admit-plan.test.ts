import type { Ticket } from '@sluice/admission/ticket';
import { expect } from 'chai';
import { outcomes, sequences, useAdmission } from './support/use-admission.ts';

describe('admission: the plan of an account', () => {
  const { redis, keyspace, publish, action, many, admit, admitTogether } = useAdmission();

  it('admits imported actions without counting them towards the rate, and counts their upserts towards the plan', async () => {
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
    expect(await redis().get(keyspace().planUse(record.account_id, '2026-05'))).to.equal('3');
  });

  it('counts only accepted upserts towards the plan, and never exceeds it', async () => {
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
    expect(await redis().get(keyspace().planUse(record.account_id, '2026-05'))).to.equal('5');
  });

  it('enforces the exact limit of a plan over all sources of an account, also within one group', async () => {
    const record = await publish();
    const other = await publish({ account_id: record.account_id });
    const group = [record, other].map((one) => ({ record: one, tickets: many(3) }));
    expect(outcomes(await admitTogether(group, { planLimit: 4 }))).to.deep.equal([
      ...Array(4).fill('admitted'),
      ...Array(2).fill('plan_limit'),
    ]);
    expect(await redis().get(keyspace().planUse(record.account_id, '2026-05'))).to.equal('4');
  });

  it('recognises a duplicate although the plan has no upsert left', async () => {
    const record = await publish();
    const known = action();
    const before = await admit(record, [known], { planLimit: 1 });
    const verdicts = await admit(record, [known, action()], { planLimit: 1 });
    expect(outcomes(verdicts)).to.deep.equal(['duplicate', 'plan_limit']);
    expect(sequences(verdicts)).to.deep.equal(sequences(before));
  });

  it('rejects all upserts of a plan with limit 0, with the same verdict while the backlog is full', async () => {
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
});
