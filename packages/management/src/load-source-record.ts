import type { SourceRecord } from '@sluice/admission/source-record';
import { storedBodyStorage } from '@sluice/contract/body-storage';
import type { Accounts } from '@sluice/store/accounts';
import type { Source, Sources } from '@sluice/store/sources';

export interface RecordDeps {
  readonly sources: Pick<Sources, 'findSource'>;
  readonly accounts: Pick<Accounts, 'findAccount'>;
}

/** What is to be published of a source, as MongoDB has it now; undefined where there is no such source. */
export async function loadSourceRecord(
  deps: RecordDeps,
  sourceId: string,
): Promise<SourceRecord | undefined> {
  const source = await deps.sources.findSource(sourceId);
  return source === undefined ? undefined : sourceRecord(deps, source);
}

/**
 * What is to be published of a source that was just read or changed. The account is read after the source: a change
 * of plan writes the account first and then raises the versions of its sources, so a version is never published with
 * an older plan than it stands for.
 */
export async function sourceRecord(
  { accounts }: Pick<RecordDeps, 'accounts'>,
  source: Source,
): Promise<SourceRecord> {
  const account = await accounts.findAccount(source.account_id);
  if (account === undefined)
    throw new Error(`source ${source.source_id} belongs to no account (${source.account_id})`);
  const { source_id, account_id, version, active, sealed_secret, rate_per_second, rate_burst } = source;
  return {
    source_id,
    account_id,
    version,
    active,
    sealed_secret,
    plan: account.plan,
    rate_per_second,
    rate_burst,
    ...storedBodyStorage(source.body_storage),
  };
}
