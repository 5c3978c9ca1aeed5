import { messageId } from '@sluice/contract/message/outbound-ids';
import { MOST_WAITING } from '@sluice/outbound/log/progress';
import { expect } from 'chai';
import { change, changeIds, useCursors } from './support/use-cursors.ts';

const HOUR_MS = 3_600_000;
const ROWS_AT_ONCE = 1_000;

for (const ordered of [false, true])
  describe(`a subscription with 10,000 messages that wait, ${ordered ? 'ordered' : 'unordered'}`, () => {
    const at = useCursors();

    /** The first one is due, the others in an hour. One change more is in the log. */
    async function claimFull() {
      await at.publishAll({ ordered });
      const { account_id, subscription_id } = at.subscription();
      const rows = Array.from({ length: MOST_WAITING }, (_, n) => ({
        ...{ message_id: messageId(`w${n}`, subscription_id), account_id, subscription_id },
        ...{ change_id: `w${n}`, place: n + 1, kind: 'lead.created', record_id: `rec_w${n}` },
        ...{ created_at: Date.now(), next_attempt_at: n === 0 ? Date.now() : Date.now() + HOUR_MS },
      }));
      for (let first = 0; first < rows.length; first += ROWS_AT_ONCE)
        await at.store().webhookMessages.addRecovered(rows.slice(first, first + ROWS_AT_ONCE));
      await at.append(change('fresh'));
      const turn = await at.claimOne();
      expect(changeIds(turn)).to.deep.equal(['w0']);
      return turn;
    }

    it('takes no further change, and is due at the first retry', async () => {
      const turn = await claimFull();
      const settled = await at.settle(turn, turn.entries, { failed: { w0: HOUR_MS / 2 }, more: 10 });
      expect(settled.status).to.equal('ended');
      await at.append(change('later'));
      const due = Number(await at.redis().zscore(at.keyspace().cursors, turn.subscription.subscription_id));
      expect(due).to.be.closeTo(Date.now() + HOUR_MS / 2, 60_000);
    });

    it('takes further changes once a message is delivered', async () => {
      const turn = await claimFull();
      const settled = await at.settle(turn, turn.entries, { more: 10 });
      expect(settled.status === 'go_on' && changeIds(settled)).to.deep.equal(['fresh']);
    });
  });
