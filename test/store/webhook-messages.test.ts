import type { AttemptRow } from '@sluice/store/outbound/webhook-message';
import { expect } from 'chai';
import { useStore } from './support.ts';

describe('store: webhook messages', () => {
  const used = useStore();

  const row = (n: number, attempt: number, more: Partial<AttemptRow> = {}): AttemptRow => ({
    ...{ message_id: `msg_${n}`, account_id: 'acc_1', subscription_id: 'sub_1', change_id: `change_${n}` },
    ...{ kind: 'lead.updated', record_id: `lead_${n}`, status: 'pending', next_attempt_at: 5_000 },
    created_at: 1_000 + n,
    ...more,
    attempt: {
      ...{ id: `${n}:${attempt}`, at: 2_000 + attempt, duration_ms: 5, code: 'server_error', status: 500 },
      ...{ sentence: 'It answered 500.', response: `about Ada ${attempt}`, redelivery: false },
    },
  });

  it('removes all responses about an erased record, ends what waits, and leaves other records', async () => {
    const { webhookMessages } = used.store;
    await webhookMessages.logAttempts([
      ...[row(1, 1), row(2, 1), row(3, 1, { status: 'failed', record_id: 'lead_1' })],
      row(4, 1, { account_id: 'acc_2', record_id: 'lead_1' }),
      row(5, 1, { kind: 'lead.erased', record_id: 'lead_1' }),
    ]);
    await webhookMessages.logAttempts([row(1, 2), row(1, 3)]);
    await webhookMessages.eraseRecords('acc_1', ['lead_1', 'lead_none']);
    const found = async (n: number) => {
      const message = await webhookMessages.findMessage('sub_1', `msg_${n}`);
      return [message?.status, message?.next_attempt_at, message?.attempts.map(({ response }) => response)];
    };
    expect(await found(1)).to.deep.equal(['erased', null, [null, null, null]]);
    expect(await found(2)).to.deep.equal(['pending', 5_000, ['about Ada 1']]);
    expect(await found(3)).to.deep.equal(['failed', 5_000, [null]]);
    expect(await found(4)).to.deep.equal(['pending', 5_000, ['about Ada 1']]);
    expect(await found(5), 'the message about its erasure').to.deep.equal(['pending', 5_000, [null]]);
    await webhookMessages.eraseRecords('acc_1', ['lead_1']);
  });

  it('adds a resend that failed to its message, whose status and next attempt stay', async () => {
    const { webhookMessages } = used.store;
    const failed = { status: 'failed' as const, next_attempt_at: null, status_stays: true };
    await webhookMessages.logAttempts([
      ...[
        row(11, 1),
        row(12, 1, { status: 'delivered' }),
        row(13, 1, failed),
        row(14, 1),
        row(14, 2, failed),
      ],
    ]);
    await webhookMessages.logAttempts([row(11, 2, failed), row(12, 2, failed)]);
    const found = async (n: number) => {
      const message = await webhookMessages.findMessage('sub_1', `msg_${n}`);
      return [message?.status, message?.next_attempt_at, message?.attempts.length];
    };
    expect(await found(11)).to.deep.equal(['pending', 5_000, 2]);
    expect(await found(12)).to.deep.equal(['delivered', 5_000, 2]);
    expect(await found(13)).to.deep.equal(['failed', null, 1]);
    expect(await found(14)).to.deep.equal(['pending', 5_000, 2]);
    const undelivered = await webhookMessages.pageMessages({
      subscription_id: 'sub_1',
      status: 'pending',
      limit: 50,
    });
    expect(undelivered.map(({ message_id }) => message_id)).to.include.members(['msg_11', 'msg_14']);
  });
});
