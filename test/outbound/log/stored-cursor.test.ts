import { HOUR_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { change, changeIds, useCursors } from './support/use-cursors.ts';

describe('the stored cursor of a subscription', () => {
  const at = useCursors();

  it('keeps a failure of a turn that had stored nothing before it', async () => {
    const [id, other] = [at.subscription().subscription_id, `sub_other_${at.accountId()}`];
    await at.publishAll({});
    await at.append(change('delivered'));
    const turn = await at.claimOne();
    await at.append(change('failed'));
    const goesOn = await at.settle(turn, turn.entries, { more: 1 });
    if (goesOn.status !== 'go_on') throw new Error(goesOn.status);
    expect(changeIds(goesOn)).to.deep.equal(['failed']);
    await at.settle(turn, goesOn.entries, { failed: { failed: HOUR_MS } });

    // Cursors of turns without a failure are stored later, all together.
    await at.publishAll({}, { subscription_id: other });
    const [later] = (await at.claim()).filter(({ subscription }) => subscription.subscription_id === other);
    if (later === undefined) throw new Error('the other subscription has no turn');
    await at.settle(later, later.entries);
    const stored = async () =>
      (await at.store().webhookCursors.findCursors([id, other])) as Map<string, object>;
    await until(async () => (await stored()).has(other), { what: 'the other cursor is stored' });
    expect((await stored()).get(id))
      .to.include({ turn: Number(turn.token) })
      .and.have.property('retry_at').not.null;
  });
});
