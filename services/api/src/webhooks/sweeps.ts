import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { sweepSubscriptions } from '@sluice/outbound/subscriptions/sweep';
import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';
import { type MailRefusingDeps, mailRefusing } from '../sources/mail-refusing.ts';
import { type MailOwnersDeps, mailOwners } from './mail-owners.ts';

export interface SweepsDeps extends Omit<MailOwnersDeps, 'subscriptions'>, MailRefusingDeps {
  readonly subscriptionDeps: SubscriptionDeps;
  readonly onSweepFailed: (error: unknown) => void;
}

const EVERY_MS = 10_000;

/** Removes and pauses subscriptions whose time is over, and informs owners of pauses and of sources that reject many requests. */
export function startSweeps({ subscriptionDeps, onSweepFailed, ...deps }: SweepsDeps): Repeated {
  const sweep = async () => {
    await sweepSubscriptions(subscriptionDeps);
    await mailOwners({ ...subscriptionDeps, ...deps });
    await mailRefusing(deps);
  };
  return repeat({ run: sweep, everyMs: EVERY_MS, onError: onSweepFailed });
}
