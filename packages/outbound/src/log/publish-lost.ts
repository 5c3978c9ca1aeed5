import { claimKey } from '@sluice/redis/claim';
import type { Keyspace } from '@sluice/redis/keyspace';
import { RUN_LUA } from '@sluice/redis/run.lua';
import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Sources } from '@sluice/store/sources/sources';
import type { Subscriptions } from '@sluice/store/subscriptions/subscriptions';
import type { Redis } from 'ioredis';

export interface PublishLostDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly stored: {
    readonly subscriptions: Pick<Subscriptions, 'pageAccounts'>;
    readonly sources: Pick<Sources, 'listSources'>;
  };
  /** Publishes the account's subscriptions, as MongoDB has them. False: another change ran meanwhile. */
  readonly republish: (accountId: string) => Promise<boolean>;
}

/**
 * Publishes the subscriptions of all accounts of a shard once, if Redis has lost them: it was emptied, a replica took over, or the number of
 * shards has changed. Otherwise messages that wait would stay until the next change. It costs one script a shard if nothing was lost. Throws if a
 * store is unavailable: then call it again, as after it was stopped. Several processes may call it at once: one of them publishes.
 */
export type PublishLost = (isStopped?: () => boolean) => Promise<void>;

/** KEYS[1] published   ARGV[1] number of shards   returns the run if the accounts were not published in it; else '' */
const LOOK = `
${RUN_LUA}
return redis.call('GET', KEYS[1]) == run .. ' ' .. ARGV[1] and '' or run
`;

/** KEYS[1] published   ARGV[1] number of shards  [2] the run in which they were published */
const NOTE = `
${RUN_LUA}
if run == ARGV[2] then redis.call('SET', KEYS[1], run .. ' ' .. ARGV[1]) end
`;

interface PublishedCommands {
  sluiceLookPublished(key: string, shards: number): Promise<string>;
  sluiceNotePublished(key: string, shards: number, run: string): Promise<null>;
}

/** Accounts of one query. */
const PAGE = 1_000;
/** Accounts at once, so that messages that wait become due one after the other. */
const AT_ONCE = 4;
/** Each try that fails met another change of the account. */
const TRIES = 20;

export function createPublishLost({ redis, shards, stored, republish }: PublishLostDeps): PublishLost {
  const commands = withScripts<PublishedCommands>(redis, {
    sluiceLookPublished: LOOK,
    sluiceNotePublished: NOTE,
  });

  const lostIn = ({ published }: Keyspace) => commands.sluiceLookPublished(published, shards.count);

  async function publishAll(
    keyspace: Keyspace,
    { ids, isStopped }: { ids: readonly string[]; isStopped: () => boolean },
  ): Promise<void> {
    const end = await claimKey(redis, keyspace.publishing);
    if (end === undefined) return;
    try {
      // The process that had the claim before may have published them.
      const run = await lostIn(keyspace);
      if (run === '') return;
      const left = ids.values();
      const work = async () => {
        for (const id of left) if (!isStopped()) await publishOne(id);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      if (!isStopped()) await commands.sluiceNotePublished(keyspace.published, shards.count, run);
    } finally {
      await end();
    }
  }

  async function publishOne(accountId: string): Promise<void> {
    for (let round = 0; round < TRIES; round++) if (await republish(accountId)) return;
    throw new Error(`the subscriptions of ${accountId} kept changing`);
  }

  return async (isStopped = () => false) => {
    let accounts: ReadonlySet<string> | undefined;
    for (const keyspace of shards.all) {
      if ((await lostIn(keyspace)) === '') continue;
      accounts ??= await accountsWithReceivers(stored);
      const ids = [...accounts].filter((id) => shards.of(id) === keyspace);
      await publishAll(keyspace, { ids, isStopped });
    }
  };
}

/** The accounts with a subscription or a reply URL, of the whole installation. Throws if MongoDB fails. */
async function accountsWithReceivers({
  subscriptions,
  sources,
}: PublishLostDeps['stored']): Promise<ReadonlySet<string>> {
  const channels = await sources.listSources({ kind: 'channel' });
  const accounts = new Set(channels.flatMap(({ account_id, reply_url }) => (reply_url ? account_id : [])));
  for (let after = ''; ; ) {
    const page = await subscriptions.pageAccounts(after, PAGE);
    for (const id of page) accounts.add(id);
    const last = page.at(-1);
    if (last === undefined) return accounts;
    after = last;
  }
}
