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

type Unopened = SubscriptionsResealed['unreadable'][number]['opened'];

const PAGE = 200;
/** Accounts at once: each needs a few sequential round trips. */
const AT_ONCE = 8;

/**
 * Encrypts the secrets of every webhook subscription with the current key, in MongoDB and as published in Redis. The secrets
 * stay the same. Run it again if it was interrupted. Throws if MongoDB or Redis fails.
 */
export async function resealSubscriptions(deps: ResealSubscriptionsDeps): Promise<SubscriptionsResealed> {
  const resealed: Subscription[] = [];
  const unreadable = new Map<string, Unopened>();
  let alreadyCurrent = 0;
  for await (const page of pagesOf(deps)) {
    const stale = page.filter((one) => isStale(deps.keyring, one));
    alreadyCurrent += page.length - stale.length;
    const accounts = new Set(stale.map(({ account_id }) => account_id)).values();
    const work = async () => {
      for (const accountId of accounts) {
        const own = stale.filter(({ account_id }) => account_id === accountId);
        const ids = own.map(({ subscription_id }) => subscription_id);
        const edited = await editSubscriptions(deps, accountId, ids, (current) => {
          if (!isStale(deps.keyring, current)) return 'unchanged';
          const secrets = sealedAgain(deps.keyring, current);
          if (!('status' in secrets)) return { ...current, secrets };
          unreadable.set(current.subscription_id, secrets);
          return 'unchanged';
        });
        resealed.push(...edited.flatMap((one) => (one.status === 'changed' ? [one.subscription] : [])));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  return {
    resealed,
    alreadyCurrent,
    unreadable: [...unreadable].map(([subscription_id, opened]) => ({ subscription_id, opened })),
  };
}

/** The accounts of the subscriptions that resealSubscriptions would seal. Throws if MongoDB fails. */
export async function accountsToReseal(
  deps: Pick<ResealSubscriptionsDeps, 'subscriptions' | 'keyring'>,
): Promise<ReadonlySet<string>> {
  const accounts = new Set<string>();
  for await (const page of pagesOf(deps))
    for (const one of page)
      if (isStale(deps.keyring, one) && !('status' in sealedAgain(deps.keyring, one)))
        accounts.add(one.account_id);
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

function isStale({ current }: Keyring, { secrets }: Subscription): boolean {
  return secrets.some(({ sealed }) => sealedWith(sealed) !== current.id);
}

/** Pure but for the random part of each seal. An older secret that no key opens cannot sign, so it is dropped. */
function sealedAgain(
  keyring: Keyring,
  { subscription_id, secrets }: Subscription,
): readonly SubscriptionSecret[] | Unopened {
  const kept: SubscriptionSecret[] = [];
  for (const [index, one] of secrets.entries()) {
    const opened = openSubscriptionSecret(keyring, subscription_id, one.sealed);
    if (opened.status === 'opened')
      kept.push({ ...one, sealed: sealSubscriptionSecret(keyring, subscription_id, opened.secret) });
    else if (index === 0) return opened;
  }
  return kept;
}
