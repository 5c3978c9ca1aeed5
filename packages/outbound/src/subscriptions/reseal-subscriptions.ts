import { type Keyring, type Opened, sealedWith } from '@sluice/credentials/seal';
import { openSubscriptionSecret, sealSubscriptionSecret } from '@sluice/credentials/subscription-secret';
import type { Subscription, SubscriptionSecret } from '@sluice/store/subscriptions/subscription-document';
import { editSubscriptions } from './change-guarded.ts';
import type { EditDeps } from './deps.ts';

export type ResealSubscriptionsDeps = EditDeps & { readonly keyring: Keyring };

export interface SubscriptionsResealed {
  /** The accounts of resealed subscriptions, one entry for each. */
  readonly resealed: readonly Pick<Subscription, 'subscription_id' | 'account_id'>[];
  readonly alreadyCurrent: number;
  readonly unreadable: readonly {
    readonly subscription_id: string;
    readonly opened: Exclude<Opened, { readonly status: 'opened' }>;
  }[];
}

const PAGE = 200;
/** Accounts at once: each needs a few sequential round trips. */
const AT_ONCE = 8;

/**
 * Encrypts the secrets of every webhook subscription with the current key, in MongoDB and as published in Redis. The secrets
 * stay the same. Run it again if it was interrupted. Throws if MongoDB or Redis fails.
 */
export async function resealSubscriptions(deps: ResealSubscriptionsDeps): Promise<SubscriptionsResealed> {
  const resealed: Pick<Subscription, 'subscription_id' | 'account_id'>[] = [];
  const unreadable: { subscription_id: string; opened: Exclude<Opened, { status: 'opened' }> }[] = [];
  let alreadyCurrent = 0;
  for await (const page of pagesOf(deps)) {
    const stale = page.filter((one) => {
      const { status } = resealedSecrets(deps.keyring, one);
      if (status === 'already_current') alreadyCurrent += 1;
      return status !== 'already_current';
    });
    const accounts = new Set(stale.map(({ account_id }) => account_id)).values();
    const work = async () => {
      for (const accountId of accounts) {
        const own = stale.filter(({ account_id }) => account_id === accountId);
        const result = await resealOfAccount(deps, accountId, own);
        resealed.push(...result.resealed);
        unreadable.push(...result.unreadable);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  return { resealed, alreadyCurrent, unreadable };
}

/** The accounts of the subscriptions that resealSubscriptions would seal. Throws if MongoDB fails. */
export async function accountsToReseal(
  deps: Pick<ResealSubscriptionsDeps, 'subscriptions' | 'keyring'>,
): Promise<ReadonlySet<string>> {
  const accounts = new Set<string>();
  for await (const page of pagesOf(deps))
    for (const one of page)
      if (resealedSecrets(deps.keyring, one).status === 'sealed') accounts.add(one.account_id);
  return accounts;
}

async function* pagesOf({ subscriptions }: Pick<ResealSubscriptionsDeps, 'subscriptions'>) {
  let after = '';
  for (;;) {
    const page = await subscriptions.listAfter(after, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.subscription_id as string;
  }
}

async function resealOfAccount(
  deps: ResealSubscriptionsDeps,
  accountId: string,
  own: readonly Subscription[],
): Promise<Pick<SubscriptionsResealed, 'resealed' | 'unreadable'>> {
  const unreadable = own.flatMap((one) => {
    const { status, opened } = resealedSecrets(deps.keyring, one);
    return status === 'unreadable' ? [{ subscription_id: one.subscription_id, opened }] : [];
  });
  const left = new Set(unreadable.map(({ subscription_id }) => subscription_id));
  const ids = own.flatMap(({ subscription_id: id }) => (left.has(id) ? [] : [id]));
  const edited = await editSubscriptions(deps, accountId, ids, (current) => {
    const next = resealedSecrets(deps.keyring, current);
    return next.status === 'sealed' ? { ...current, secrets: next.secrets } : 'unchanged';
  });
  const resealed = edited.flatMap((one) => (one.status === 'changed' ? [one.subscription] : []));
  return { resealed, unreadable };
}

type ResealedSecrets =
  | { readonly status: 'sealed'; readonly secrets: readonly SubscriptionSecret[]; readonly opened?: never }
  | { readonly status: 'already_current'; readonly opened?: never }
  | { readonly status: 'unreadable'; readonly opened: Exclude<Opened, { readonly status: 'opened' }> };

/** Pure but for the random part of each seal. An older secret that no key opens cannot sign, so it is dropped. */
function resealedSecrets(keyring: Keyring, { subscription_id, secrets }: Subscription): ResealedSecrets {
  if (secrets.every(({ sealed }) => sealedWith(sealed) === keyring.current.id))
    return { status: 'already_current' };
  const kept: SubscriptionSecret[] = [];
  for (const [index, one] of secrets.entries()) {
    const opened = openSubscriptionSecret(keyring, subscription_id, one.sealed);
    if (opened.status === 'opened')
      kept.push({ ...one, sealed: sealSubscriptionSecret(keyring, subscription_id, opened.secret) });
    else if (index === 0) return { status: 'unreadable', opened };
  }
  return { status: 'sealed', secrets: kept };
}
