import { INITIAL_STATE } from '@sluice/outbound/queue/turn';
import { earliestAttempt } from '@sluice/outbound/subscriptions/read-messages';
import { retryingSince } from '@sluice/outbound/subscriptions/subscription-health';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import { expect } from 'chai';

const CREATED = 1_000;
const pause = (reason: NonNullable<Subscription['paused']>['reason']) => ({ paused: { reason, at: 0 } });
const waits = (nextDueAt: number | null, notBefore = 0) => ({
  ...{ nextDueAt, state: { ...INITIAL_STATE, notBefore } },
});

describe('subscriptions: the next attempt of a message', () => {
  const cases: [string, Parameters<typeof earliestAttempt>, number | null][] = [
    ['its own time', [{ next_attempt_at: 5_000, created_at: CREATED }, {}, waits(3_000)], 5_000],
    [
      'its creation without an attempt',
      [{ next_attempt_at: null, created_at: CREATED }, {}, undefined],
      1_000,
    ],
    [
      'the time of its waits without an attempt',
      [{ next_attempt_at: null, created_at: CREATED }, {}, waits(2_000)],
      2_000,
    ],
    [
      'the probe of a receiver that fails',
      [{ next_attempt_at: 5_000, created_at: CREATED }, {}, waits(9_000)],
      9_000,
    ],
    [
      'the end of a wait that the receiver asked for, also during a turn',
      [{ next_attempt_at: 5_000, created_at: CREATED }, {}, waits(null, 8_000)],
      8_000,
    ],
    [
      'the hourly probe of a receiver that has failed for days',
      [{ next_attempt_at: 5_000, created_at: CREATED }, pause('failing'), waits(9_000)],
      9_000,
    ],
    ...(['by_admin', 'by_client', 'key_revoked', 'key_expired'] as const).map(
      (reason): [string, Parameters<typeof earliestAttempt>, null] => [
        `nothing while paused ${reason}`,
        [{ next_attempt_at: 5_000, created_at: CREATED }, pause(reason), waits(null)],
        null,
      ],
    ),
  ];
  for (const [name, input, expected] of cases)
    it(`is ${name}`, () => expect(earliestAttempt(...input)).to.equal(expected));
});

describe('subscriptions: since when a receiver is retried', () => {
  it('is its first failure after the last success, while messages wait', () => {
    const failing = { ...INITIAL_STATE, firstFailureAt: 7_000 };
    expect(retryingSince({ waiting: 1, state: failing })).to.equal(7_000);
    expect(retryingSince({ waiting: 0, state: failing })).to.equal(null);
    expect(retryingSince({ waiting: 1, state: INITIAL_STATE })).to.equal(null);
  });
});
