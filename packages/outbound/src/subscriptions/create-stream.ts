import { hkdfSync } from 'node:crypto';
import { streamUrl } from '@sluice/contract/subscription/stream-url';
import { STREAM_MS } from '@sluice/contract/subscription/subscription-limits';
import type { StreamInput } from '@sluice/contract/subscription/webhook-stream';
import type { Keyring } from '@sluice/credentials/seal';
import { sealSubscriptionSecret } from '@sluice/credentials/subscription-secret';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { editSubscription } from './change-guarded.ts';
import { findUnknownInFilter } from './check-filter.ts';
import { answer, insertSubscription, type SubscriptionCreated } from './create-subscription.ts';
import type { EditDeps, SubscriptionDeps } from './deps.ts';
import { isPresent } from './life.ts';
import { underFence } from './under-fence.ts';
import { urlKey } from './url-key.ts';

export interface StreamRequest {
  readonly accountId: string;
  readonly key: Pick<ApiKey, 'key_id' | 'expires_at'>;
  readonly input: StreamInput;
  readonly newId: string;
}

/**
 * Creates a subscription whose messages a connected program reads. It ends shortly after the program has left. Throws if MongoDB or
 * Redis fails.
 */
export async function createStream(
  deps: SubscriptionDeps,
  { accountId, key, input, newId }: StreamRequest,
): Promise<SubscriptionCreated> {
  const targetUrl = streamUrl(newId);
  const sealed = sealSubscriptionSecret(deps.keyring, newId, streamSecret(deps.keyring, key.key_id));
  const { events = ['*'], filter, host } = input;
  const wanted = {
    ...{ keyId: key.key_id, keyExpiresAt: key.expires_at, targetUrl, ephemeral: true },
    input: {
      ...{ target_url: targetUrl, events, active: true },
      name: host ? `sluice listen on ${host}` : 'sluice listen',
      filter: withoutNull(filter ?? {}),
      client: { platform: 'sluice listen', mode: 'test' as const },
    },
  };
  const create = {
    ...{ accountId, newId, wanted, urlKey: urlKey(targetUrl) },
    secret: { sealed, created_at: deps.now() },
  };
  const existing = await deps.subscriptions.findSubscription(accountId, newId);
  if (existing !== undefined) return answer(deps, 'existing', existing, false);
  const unknown = await findUnknownInFilter(deps, accountId, filter);
  if (unknown !== undefined) return unknown;
  return underFence(deps, accountId, async (touched) => {
    const created = await insertSubscription(deps, create, touched);
    if (created === 'again') throw new Error(`the stream ${newId} exists already`);
    return created;
  });
}

/** Postpones the end of a stream that is being read. False: it has ended. Throws if MongoDB or Redis fails. */
export async function renewStream(
  deps: EditDeps,
  accountId: string,
  subscriptionId: string,
): Promise<boolean> {
  const edited = await editSubscription(deps, accountId, subscriptionId, (current) =>
    isPresent(current, deps.now()) ? { ...current, expires_at: deps.now() + STREAM_MS } : 'unchanged',
  );
  return edited.status === 'changed';
}

function withoutNull<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as {
    [K in keyof T]?: Exclude<T[K], null | undefined>;
  };
}

/** The length of other secrets too. */
const BYTES = 48;

/**
 * The secret of every stream of an API key, as Standard Webhooks writes it. It stays the same from run to run, so that a developer
 * configures it once.
 */
function streamSecret({ current }: Keyring, keyId: string): string {
  const bytes = hkdfSync('sha256', current.bytes, '', `sluice stream ${keyId}`, BYTES);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}
