import { loadSourceRecord } from '@sluice/admission/load-source-record';
import type { ShardedDirectory } from '@sluice/admission/sharded-directory';
import { newId } from '@sluice/credentials/ids';
import { type Keyring, seal } from '@sluice/credentials/seal';
import type { Sender } from '@sluice/signature/sender/sender';
import type { Accounts } from '@sluice/store/accounts/accounts';
import type { Source } from '@sluice/store/sources/source';
import type { Sources } from '@sluice/store/sources/sources';
import { orUnconfirmed } from '../audit/unconfirmed-change.ts';
import { numbered } from './change-mapping.ts';
import { newSecretFor } from './new-secret.ts';

export interface CreateSourceDeps {
  readonly sources: Pick<Sources, 'insertSource' | 'findSource'>;
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly directory: Pick<ShardedDirectory, 'republish'>;
  readonly keyring: Keyring;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface NewSource {
  readonly accountId: string;
  readonly name: string;
  /** Requests per second, and burst; absent: the installation's default. */
  readonly ratePerSecond?: number;
  readonly rateBurst?: number;
  /** Absent: it has the scheme of Sluice. */
  readonly sender?: Sender;
}

export type SourceCreated =
  | { readonly status: 'created'; readonly source: Source; readonly signingSecret: string }
  | { readonly status: 'account_not_found' };

/** Creates an active source with a new signing secret. */
export async function createSource(deps: CreateSourceDeps, input: NewSource): Promise<SourceCreated> {
  if ((await deps.accounts.findAccount(input.accountId)) === undefined)
    return { status: 'account_not_found' };
  const signingSecret = newSecretFor(input);
  const own = { ...sourceOf(deps, newId('src'), input, signingSecret), external_ids: true };
  const source = await storeSource(deps, own);
  return { status: 'created', source, signingSecret };
}

/** A new active source, not stored yet. */
export function sourceOf(
  { keyring, now }: Pick<CreateSourceDeps, 'keyring' | 'now'>,
  sourceId: string,
  { accountId, name, ratePerSecond, rateBurst, sender }: NewSource,
  signingSecret: string,
): Source {
  return {
    source_id: sourceId,
    account_id: accountId,
    name,
    active: true,
    sealed_secret: seal(keyring, sourceId, signingSecret),
    version: 1,
    rate_per_second: ratePerSecond ?? null,
    rate_burst: rateBurst ?? null,
    body_storage: 'all',
    created_at: now(),
    secret_rotated_at: null,
    previous_secret: null,
    ...(sender !== undefined && { sender: numbered(undefined, sender) }),
  };
}

/** Stores a new source and publishes it for the ingresses. Resolves to the source as stored. */
export async function storeSource(deps: CreateSourceDeps, source: Source): Promise<Source> {
  const { source_id } = source;
  const stored = await deps.sources.insertSource(source);
  // If a change of the source is already in progress, that change publishes it.
  const announced = deps.directory.republish(stored, () => loadSourceRecord(deps, source_id));
  await orUnconfirmed(`The source ${source_id} is stored but not announced`, announced);
  return stored;
}
