import { readSubscriptionNeeds, subscriptionNeeds } from '@sluice/api/overview/subscription-needs';
import type { Role } from '@sluice/contract/account/roles';
import { DAY_MS, HOUR_MS } from '@sluice/contract/time/durations';
import type { Attention } from '@sluice/dashboard-api/overview';
import type { WaitingStatus } from '@sluice/outbound/log/waiting';
import { INITIAL_STATE } from '@sluice/outbound/queue/turn';
import type { RefusedSubscription } from '@sluice/store/subscriptions/refused-subscriptions';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';

const NOW = Date.parse('2026-11-21T12:00:00Z');

function subscription(id: string, fields: Partial<Subscription> = {}): Subscription {
  const made = { subscription_id: id, name: null, client: null, ephemeral: false };
  return { ...made, target_url: 'https://hooks.example.com/a', ...fields } as Subscription;
}

function needsOfSubscriptions(
  subscriptions: readonly Subscription[],
  refused: readonly RefusedSubscription[] = [],
  statuses: readonly WaitingStatus[] = [],
): Attention[] {
  return subscriptionNeeds({ subscriptions, statuses, refused }, NOW);
}

function waits(subscriptionId: string, fields: Partial<WaitingStatus> & { firstFailureAt?: number }) {
  const { firstFailureAt = null, ...rest } = fields;
  const idle = { waiting: 3, attempting: 0, waitingSince: NOW, nextDueAt: null };
  return { ...idle, ...rest, subscriptionId, state: { ...INITIAL_STATE, firstFailureAt } };
}

const pausedFor = (reason: NonNullable<Subscription['paused']>['reason']) => ({
  paused: { reason, at: NOW },
});

describe('api: webhook subscriptions that need attention', () => {
  it('include subscriptions that fail or have lost their key, by the name that a person knows', () => {
    const client = { workflow_name: 'New leads to the CRM' };
    const found = needsOfSubscriptions(
      [
        subscription('well'),
        subscription('failing', { ...pausedFor('failing'), client }),
        subscription('revoked', { ...pausedFor('key_revoked'), name: 'Zap', client }),
        subscription('expired', pausedFor('key_expired')),
        subscription('by_admin', pausedFor('by_admin')),
        subscription('by_client', pausedFor('by_client')),
        subscription('deleted', { ...pausedFor('failing'), deleted_at: NOW }),
        subscription('test', { ...pausedFor('failing'), ephemeral: true }),
      ],
      [],
    );
    const kind = 'subscription_paused';
    const paused_at = '2026-11-21T12:00:00.000Z';
    expect(found).to.deep.equal([
      { kind, subscription_id: 'failing', name: 'New leads to the CRM', reason: 'failing', paused_at },
      { kind, subscription_id: 'revoked', name: 'Zap', reason: 'key_revoked', paused_at },
      { kind, subscription_id: 'expired', name: 'hooks.example.com/a', reason: 'key_expired', paused_at },
    ]);
  });

  it('include receivers that have accepted nothing for 15 minutes while messages wait', () => {
    const firstFailureAt = NOW - 15 * 60_000;
    const ids = ['well', 'failing', 'now', 'recent', 'empty', 'paused', 'given_up', 'absent'];
    const paused = { paused: pausedFor('by_admin'), given_up: pausedFor('failing') };
    const found = needsOfSubscriptions(
      ids.map((id) => subscription(id, { name: id, ...paused[id as 'paused'] })),
      [],
      [
        waits('well', { nextDueAt: NOW + 1000 }),
        waits('failing', { firstFailureAt, nextDueAt: NOW + 1000 }),
        waits('now', { firstFailureAt, waiting: 1, attempting: 1 }),
        waits('recent', { firstFailureAt: firstFailureAt + 1 }),
        waits('empty', { firstFailureAt, waiting: 0 }),
        waits('paused', { firstFailureAt }),
        waits('given_up', { firstFailureAt }),
      ],
    ).filter(({ kind }) => kind === 'subscription_retrying');
    const same = { kind: 'subscription_retrying', since: '2026-11-21T11:45:00.000Z' };
    const next_attempt_at = '2026-11-21T12:00:01.000Z';
    expect(found).to.deep.equal([
      { ...same, subscription_id: 'failing', name: 'failing', waiting: 3, next_attempt_at },
      { ...same, subscription_id: 'now', name: 'now', waiting: 1, next_attempt_at: null },
    ]);
  });

  it('include creates of subscriptions that were rejected within a day, and why the latest one was', () => {
    const rejected = (last_at: number, detail: string, count: number) =>
      ({ last_at, detail, count, client: 'n8n' }) as RefusedSubscription;
    const refused = [
      rejected(NOW - HOUR_MS, 'The key lacks a scope.', 3),
      rejected(NOW - DAY_MS + 1, 'The URL is not public.', 2),
      rejected(NOW - DAY_MS, 'Long ago.', 9),
    ];
    expect(needsOfSubscriptions([], refused)).to.deep.equal([
      {
        kind: 'subscriptions_rejected',
        count: 5,
        client: 'n8n',
        detail: 'The key lacks a scope.',
        last_at: '2026-11-21T11:00:00.000Z',
      },
    ]);
    expect(needsOfSubscriptions([], refused.slice(2))).to.deep.equal([]);
  });

  it('show problems of subscriptions to admins and owners only', async () => {
    const deps = {
      subscriptions: { listSubscriptions: async () => [subscription('failing', pausedFor('failing'))] },
      refusedSubscriptions: { listRefused: async () => [] },
      subscriptionDeps: { outbox: { status: async () => [] } },
      now: () => NOW,
    };
    const shown = async (role: Role) => await readSubscriptionNeeds(deps, { role, accountId: 'acc_1' });
    expect(await shown('owner')).to.have.length(1);
    expect(await shown('admin')).to.have.length(1);
    expect(await shown('viewer')).to.deep.equal([]);
  });
});
