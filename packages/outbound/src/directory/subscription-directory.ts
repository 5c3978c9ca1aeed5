import { randomUUID } from 'node:crypto';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import { FENCE_MS } from '../queue/limits.ts';
import { isStopped, type PublishedSubscription } from '../queue/published-subscription.ts';
import { FENCE, RENEW_VERSION, UNPUBLISHED, VERSION } from './directory.lua.ts';
import { PUBLISH } from './publish.lua.ts';

/** A fence. Only the change that set it removes it. */
export interface Fence {
  readonly token: string;
  /** The run of Redis in which it was set. */
  readonly run: string;
  /** How often a change of the account had been published. */
  readonly changes: number;
}

/** A change for Redis. Its subscriptions were read from MongoDB after the fence was set. */
export interface Publication {
  readonly put: readonly PublishedSubscription[];
  /** They are deleted with all that waits. */
  readonly remove: readonly string[];
}

/** All subscriptions of an account, as read from MongoDB. */
export interface WholePublication extends Omit<Publication, 'remove'> {
  /** The highest number in the log of the account. Default: 0, as in an empty log. */
  readonly lastNumber?: number;
}

export type ListVersion =
  /** No attempt by the state before the last publications begins once `leasesEndInMs` have passed. */
  | { readonly status: 'version'; readonly version: string; readonly leasesEndInMs: number }
  /** A change is running. */
  | { readonly status: 'fenced'; readonly waitMs: number }
  /** Never published, lost, published to another run of Redis, or left by an unfinished change. Call `republish`. */
  | { readonly status: 'absent' };

/** The subscriptions of all accounts as published in Redis. */
export interface SubscriptionDirectory {
  /** Call it before a change is written to MongoDB. Until it is published nothing is pushed for the account, for at most FENCE_MS. */
  fence(accountId: string): Promise<Fence>;
  /** Ends the fence. No attempt by the previous version begins once `leasesEndInMs` have passed. */
  publish(
    accountId: string,
    fence: Fence,
    publication: Publication,
  ): Promise<{ readonly leasesEndInMs: number }>;
  /**
   * Publishes all subscriptions of an account, which `load` reads from MongoDB: those that collect and those that are paused.
   * Others are removed. False: another change ran meanwhile, so the list stays `absent`. Ask for its version again.
   */
  republish(accountId: string, load: () => Promise<WholePublication>): Promise<boolean>;
  /** Ask it before the list is read from MongoDB, and give it to the confirmation. */
  version(accountId: string): Promise<ListVersion>;
  /**
   * Some of the accounts with a change that was never published, because its process has died. It may be stored: call `republish`.
   * Until then an account is returned about every FENCE_MS.
   */
  unpublished(): Promise<readonly string[]>;
  /** Makes pushes by an older version `stale`. */
  renewVersion(accountId: string): Promise<void>;
}

interface DirectoryCommands {
  sluiceSubscriptionsFence(key: string, ...args: (string | number)[]): Promise<[string, number]>;
  sluiceSubscriptionsPublish(key: string, ...args: (string | number)[]): Promise<number>;
  sluiceSubscriptionsVersion(key: string): Promise<[string, string | number, number]>;
  sluiceSubscriptionsUnpublished(key: string, ...args: (string | number)[]): Promise<string[]>;
  sluiceSubscriptionsRenew(key: string, nonce: string): Promise<null>;
}

/** Accounts of each shard. The next call returns others. */
const UNPUBLISHED_AT_ONCE = 100;

export function createSubscriptionDirectory({
  redis,
  shards,
}: {
  redis: Redis;
  shards: Shards;
}): SubscriptionDirectory {
  const commands = withScripts<DirectoryCommands>(redis, {
    sluiceSubscriptionsFence: FENCE,
    sluiceSubscriptionsPublish: PUBLISH,
    sluiceSubscriptionsVersion: VERSION,
    sluiceSubscriptionsUnpublished: UNPUBLISHED,
    sluiceSubscriptionsRenew: RENEW_VERSION,
  });
  const listOf = (accountId: string) => shards.of(accountId).subscriptions(accountId);

  const fence = async (accountId: string): Promise<Fence> => {
    const token = randomUUID();
    const args = [shards.of(accountId).prefix, accountId, FENCE_MS, token];
    const [run, changes] = await commands.sluiceSubscriptionsFence(listOf(accountId), ...args);
    return { token, run, changes };
  };
  const publish = async (
    accountId: string,
    { token, run, changes }: Fence,
    { put, remove, whole, lastNumber = 0 }: Publication & WholePublication & { readonly whole: boolean },
  ) => {
    const { prefix } = shards.of(accountId);
    const flags = [changes, whole ? 1 : 0, lastNumber];
    const args = [prefix, accountId, token, run, randomUUID(), ...flags, remove.length, ...remove];
    return commands.sluiceSubscriptionsPublish(listOf(accountId), ...args, ...put.flatMap(fieldsOf));
  };

  return {
    fence,
    async publish(accountId, fence, publication) {
      return { leasesEndInMs: await publish(accountId, fence, { ...publication, whole: false }) };
    },
    async republish(accountId, load) {
      const own = await fence(accountId);
      return (await publish(accountId, own, { ...(await load()), remove: [], whole: true })) >= 0;
    },
    async version(accountId) {
      const [status, value, leasesEndInMs] = await commands.sluiceSubscriptionsVersion(listOf(accountId));
      if (status === 'version') return { status, version: String(value), leasesEndInMs };
      return status === 'fenced' ? { status, waitMs: Number(value) } : { status: 'absent' };
    },
    async unpublished() {
      const found = shards.all.map(({ cursors, prefix }) =>
        commands.sluiceSubscriptionsUnpublished(cursors, prefix, UNPUBLISHED_AT_ONCE, FENCE_MS),
      );
      return (await Promise.all(found)).flat();
    },
    async renewVersion(accountId) {
      await commands.sluiceSubscriptionsRenew(listOf(accountId), randomUUID());
    },
  };
}

function fieldsOf(subscription: PublishedSubscription): (string | number)[] {
  const { subscription_id, version, paused, key_expires_at, ephemeral_until } = subscription;
  const ends = [key_expires_at, ephemeral_until].filter((end) => end !== null);
  return [
    ...[subscription_id, version, JSON.stringify(subscription)],
    isStopped(paused) ? (paused as string) : '',
    ends.length === 0 ? '' : Math.min(...ends),
  ];
}
