import type { Accounts } from '@sluice/store/accounts/accounts';
import type { PreviousSecret, Source } from '@sluice/store/sources/source';
import type { Sources } from '@sluice/store/sources/sources';
import type { PreviousSecretRecord, SourceRecord } from './source-record.ts';

export interface RecordDeps {
  readonly sources: Pick<Sources, 'findSource'>;
  readonly accounts: Pick<Accounts, 'findAccount'>;
}

/** The record to publish for a source, as MongoDB has it now; undefined if there is no such source. */
export async function loadSourceRecord(
  deps: RecordDeps,
  sourceId: string,
): Promise<SourceRecord | undefined> {
  const source = await deps.sources.findSource(sourceId);
  return source === undefined ? undefined : sourceRecord(deps, source);
}

/**
 * The record to publish for a source that was just read or changed. Reads the account after the source: a plan change
 * writes the account first and then raises the versions of its sources. So a version is never published with an older
 * plan than it represents.
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
    body_storage: source.body_storage,
    ...(source.previous_secret !== null && { previous_secret: previousRecord(source.previous_secret) }),
    ...(source.external_ids && { external_ids: true as const }),
    ...(source.sender !== undefined && { sender: source.sender }),
    ...(source.kind !== undefined && { kind: source.kind }),
    ...(source.deleted !== undefined && { is_deleted: true as const }),
  };
}

/** The previous secret as published to the ingresses. */
function previousRecord({ sealed_secret, accepted_until }: PreviousSecret): PreviousSecretRecord {
  return { sealed_secret, accepted_until };
}
