import type { Mailer } from '@sluice/mail/mailer';
import { subscriptionsPausedMail } from '@sluice/mail/texts';
import { claimPendingPauses } from '@sluice/outbound/subscriptions/claim-pending-pauses';
import type { SubscriptionDeps } from '@sluice/outbound/subscriptions/deps';
import { sweepSubscriptions } from '@sluice/outbound/subscriptions/sweep';
import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { Subscriptions } from '@sluice/store/subscriptions/subscriptions';
import { type OwnersOfDeps, ownersOf } from '../members/owners-of.ts';
import { type MailRefusingDeps, mailRefusing } from '../sources/mail-refusing.ts';

interface SweepsDeps extends Omit<MailOwnersDeps, 'subscriptions'>, MailRefusingDeps {
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

interface MailOwnersDeps extends OwnersOfDeps {
  readonly subscriptions: Subscriptions;
  /** undefined: this installation sends no mail. Pauses then wait until it does. */
  readonly mailer: Pick<Mailer, 'send'> | undefined;
  /** The dashboard's URL. */
  readonly apiUrl: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/**
 * Mails the owners of each account which subscriptions were paused unexpectedly: once for each pause, and one mail for all of
 * an account. A process that dies right after the claim loses the mail; the Overview still lists the subscriptions.
 */
export async function mailOwners(deps: MailOwnersDeps): Promise<void> {
  if (deps.mailer === undefined) return;
  const claimed = await claimPendingPauses(deps);
  for (const accountId of new Set(claimed.map(({ account_id }) => account_id))) {
    const own = claimed.filter(({ account_id }) => account_id === accountId);
    await mailAccount(deps, deps.mailer, accountId, own);
  }
}

async function mailAccount(
  deps: MailOwnersDeps,
  mailer: Pick<Mailer, 'send'>,
  accountId: string,
  paused: readonly Subscription[],
): Promise<void> {
  const { account, emails } = await ownersOf(deps, accountId);
  const subscriptions = paused.map((one) => {
    const { host } = new URL(one.target_url);
    return {
      id: one.subscription_id,
      name: one.name ?? one.client?.workflow_name ?? host,
      host,
      reason: one.paused?.reason === 'failing' ? ('failing' as const) : ('key_expired' as const),
      at: one.paused?.at ?? one.updated_at,
    };
  });
  for (const email of emails)
    mailer.send(subscriptionsPausedMail(email, { apiUrl: deps.apiUrl, account, subscriptions }));
}
