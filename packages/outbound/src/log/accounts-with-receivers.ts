import type { Sources } from '@sluice/store/sources/sources';
import type { Subscriptions } from '@sluice/store/subscriptions/subscriptions';

export interface AccountsDeps {
  readonly subscriptions: Pick<Subscriptions, 'pageAccounts'>;
  readonly sources: Pick<Sources, 'listSources'>;
}

const PAGE = 1_000;

/** The accounts with a subscription or a reply URL, of the whole installation. Throws if MongoDB fails. */
export async function accountsWithReceivers({
  subscriptions,
  sources,
}: AccountsDeps): Promise<ReadonlySet<string>> {
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
