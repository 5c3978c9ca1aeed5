import {
  isStale,
  type ResealProgress,
  resealAllSecrets,
  resealTwoFactors,
  type Unreadable,
} from '@sluice/accounts/secrets/reseal-secrets';
import {
  whyPreviousUnopened,
  whyReplySecretUnopened,
  whySubscriptionSecretUnopened,
  whyUnopened,
} from '@sluice/credentials/why-unopened';
import { publishReply } from '@sluice/outbound/subscriptions/publish-reply';
import { accountsToReseal, resealSubscriptions } from '@sluice/outbound/subscriptions/reseal-subscriptions';
import type { Stack } from './stack.ts';

/** The result for everything that is encrypted with SLUICE_SECRET_KEY. */
export interface Resealed {
  readonly resealed: number;
  readonly alreadyCurrent: number;
  /** The sources whose previous secret was dropped, because no key opens it. */
  readonly droppedPrevious: readonly string[];
  /** The secrets that no key opens, each with the next step. */
  readonly unreadable: readonly { readonly id: string; readonly why: string }[];
  /** The accounts with what was resealed, in words. */
  readonly accounts: ReadonlyMap<string, string>;
}

const UNREADABLE_FACTOR =
  "the user's two-factor key can't be decrypted. Add the key it was encrypted with, or run: sluice member reset-two-factor EMAIL";

/** The accounts that resealEverything is about to change. Connects to both stores. */
export async function findStaleAccounts(stack: Stack): Promise<readonly string[]> {
  const keyring = stack.keyring();
  const { sources, subscriptions } = await stack.store();
  await stack.directory();
  const stale = (await sources.listSources()).filter((source) => isStale(keyring, source));
  const ofSubscriptions = await accountsToReseal({ subscriptions, keyring });
  return [...new Set([...stale.map(({ account_id }) => account_id), ...ofSubscriptions])];
}

/** Encrypts every secret with the current key. Run it again if it was interrupted. */
export async function resealEverything(
  stack: Stack,
  now: () => number,
  onProgress: (progress: ResealProgress) => void,
): Promise<Resealed> {
  const keyring = stack.keyring();
  const { accounts, sources, twoFactors } = await stack.store();
  const directory = await stack.directory();
  const publishing = { ...(await stack.publishing(now)), keyring };
  const ofSources = await resealAllSecrets({ accounts, sources, directory, keyring, now }, onProgress);
  // Every one: an interrupted run may have left a reply's secret published as it was sealed before.
  for (const channel of await sources.listSources({ kind: 'channel' }))
    await publishReply(publishing, channel);
  const ofSubscriptions = await resealSubscriptions(publishing);
  const ofPeople = await resealTwoFactors({ twoFactors, keyring });
  return {
    resealed: ofSources.resealed.length + ofSubscriptions.resealed.length + ofPeople.resealed,
    alreadyCurrent: ofSources.alreadyCurrent + ofSubscriptions.alreadyCurrent + ofPeople.alreadyCurrent,
    droppedPrevious: ofSources.droppedPrevious,
    unreadable: [
      ...ofSources.unreadable.map((one) => ({ id: one.source_id, why: whyOf(one) })),
      ...ofSubscriptions.unreadable.map(({ subscription_id: id, opened }) => ({
        id,
        why: whySubscriptionSecretUnopened(opened),
      })),
      ...ofPeople.unreadable.map(({ user_id: id }) => ({ id, why: UNREADABLE_FACTOR })),
    ],
    accounts: inWords(ofSources.resealed, ofSubscriptions.resealed),
  };
}

function whyOf({ secret, opened }: Unreadable): string {
  switch (secret) {
    case 'current':
      return whyUnopened(opened);
    case 'previous':
      return whyPreviousUnopened(opened);
    case 'reply':
      return whyReplySecretUnopened(opened);
  }
}

type OfAccount = readonly { readonly account_id: string }[];

function inWords(sources: OfAccount, subscriptions: OfAccount): Map<string, string> {
  const ids = new Set([...sources, ...subscriptions].map(({ account_id }) => account_id));
  const words = (all: OfAccount, accountId: string, noun: string): string[] => {
    const count = all.filter(({ account_id }) => account_id === accountId).length;
    return count === 0 ? [] : [count === 1 ? `1 ${noun}` : `${count} ${noun}s`];
  };
  return new Map(
    [...ids].map((id) => [
      id,
      [...words(sources, id, 'source'), ...words(subscriptions, id, 'webhook subscription')].join(', '),
    ]),
  );
}
