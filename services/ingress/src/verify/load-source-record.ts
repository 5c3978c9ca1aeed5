import type { SourceRecord } from '@sluice/admission/source-record';
import { DEFAULT_PLAN } from '@sluice/contract/plans';
import type { Accounts } from '@sluice/store/accounts';
import type { Sources } from '@sluice/store/sources';

/** What is read of MongoDB. */
export interface SourceStore {
  readonly sources: Pick<Sources, 'findSource'>;
  readonly accounts: Pick<Accounts, 'findAccount'>;
}

/** A source as MongoDB has it, in the form in which it is published. null: there is no such source. */
export async function loadSourceRecord(
  { sources, accounts }: SourceStore,
  sourceId: string,
): Promise<SourceRecord | null> {
  const source = await sources.findSource(sourceId);
  if (source === undefined) return null;
  const account = await accounts.findAccount(source.account_id);
  const { source_id, account_id, version, active, sealed_secret, rate_per_second, rate_burst } = source;
  const plan = account?.plan ?? DEFAULT_PLAN;
  return { source_id, account_id, version, active, sealed_secret, plan, rate_per_second, rate_burst };
}
