import type { Mailer } from '@sluice/mail/mailer';
import { subscriptionsPausedMail } from '@sluice/mail/subscriptions-paused';
import { claimUntoldPauses } from '@sluice/outbound/subscriptions/claim-untold-pauses';
import { nameSubscription } from '@sluice/outbound/subscriptions/name-subscription';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { Subscriptions } from '@sluice/store/subscriptions/subscriptions';
import { type OwnersOfDeps, ownersOf } from '../members/owners-of.ts';

export interface MailOwnersDeps extends OwnersOfDeps {
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
  const claimed = await claimUntoldPauses(deps);
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
  const subscriptions = paused.map((one) => ({
    id: one.subscription_id,
    name: nameSubscription(one),
    host: new URL(one.target_url).host,
    reason: one.paused?.reason === 'failing' ? ('failing' as const) : ('key_expired' as const),
    at: one.paused?.at ?? one.updated_at,
  }));
  for (const email of emails)
    mailer.send(subscriptionsPausedMail(email, { apiUrl: deps.apiUrl, account, subscriptions }));
}
