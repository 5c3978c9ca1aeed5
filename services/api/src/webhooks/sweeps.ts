import type { SubscriptionDeps } from '@sluice/subscriptions/deps';
import { sweepSubscriptions } from '@sluice/subscriptions/sweep';
import { type MailRefusingDeps, mailRefusing } from '../sources/mail-refusing.ts';
import { type MailOwnersDeps, mailOwners } from './mail-owners.ts';

export interface SweepsDeps extends Omit<MailOwnersDeps, 'subscriptions'>, MailRefusingDeps {
  readonly subscriptionDeps: SubscriptionDeps;
  readonly onSweepFailed: (error: unknown) => void;
}

const EVERY_MS = 10_000;

/** Removes and pauses subscriptions whose time is over, and informs owners of pauses and of sources that reject many requests. Repeats it until it is stopped. */
export function startSweeps({ subscriptionDeps, onSweepFailed, ...deps }: SweepsDeps): {
  stop(): Promise<void>;
} {
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  const sweep = async () => {
    await sweepSubscriptions(subscriptionDeps);
    await mailOwners({ ...subscriptionDeps, ...deps });
    await mailRefusing(deps);
  };
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    running = sweep()
      .catch(onSweepFailed)
      .finally(() => {
        isRunning = false;
      });
  }, EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
