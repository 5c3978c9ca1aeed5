import type { ActivityReader } from '@sluice/activity/read-activity';
import { DAY_MS } from '@sluice/contract/durations';
import { formatInstant } from '@sluice/contract/instant';
import { type KeyItem, keyName, newKey } from '@sluice/dashboard-api/keys';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Deed } from '@sluice/management/audit-entry';
import { type CreateKeyDeps, createKey } from '@sluice/management/create-key';
import { renamedDeed, renameKey } from '@sluice/management/rename-key';
import { auditedRevocation, revokeKey } from '@sluice/management/revoke-key';
import type { ApiKey, ApiKeys } from '@sluice/store/accounts/api-keys';
import type { SubscriptionDeps } from '@sluice/subscriptions/deps';
import { stopForRevokedKey } from '@sluice/subscriptions/pause-for-key';
import type { Audited } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { instantOrNull } from '../http/instants.ts';
import { refuseFields } from '../http/refuse-fields.ts';
import { done, notFound } from '../http/result.ts';
import { keyActivity } from './activity.ts';

export interface KeyRoutesDeps extends CreateKeyDeps {
  readonly apiKeys: ApiKeys;
  readonly activityReader: Pick<ActivityReader, 'read' | 'countClients'>;
  readonly audited: Audited;
  readonly subscriptionDeps: SubscriptionDeps;
}

/** How long a revoked key is listed. Its document stays, so that its requests still get `key_revoked`. */
export const REVOKED_LISTED_MS = 30 * DAY_MS;

/** API keys: list, create (the full key is returned once), rename, revoke. */
export function keyRoutes({ guarded }: Binder, deps: KeyRoutesDeps): void {
  const { apiKeys, now, audited } = deps;

  guarded(ROUTES.keys.list, {}, async ({ who }) => {
    const revoked_since = now() - REVOKED_LISTED_MS;
    const own = await apiKeys.listApiKeys({ account_id: who.accountId, revoked_since });
    const items = own.toReversed().map(async (key) => ({
      ...describeKey(key, now()),
      ...(await keyActivity(deps, key.key_id)),
    }));
    return done({ items: await Promise.all(items) });
  });

  guarded(ROUTES.keys.create, { body: newKey }, async ({ who, body, request }) => {
    const expiresAt = body.expires_at ?? null;
    if (expiresAt !== null && expiresAt <= now()) {
      const detail = 'In the past. Choose a later date, or no expiry.';
      return refuseFields([{ pointer: '/expires_at', detail }]);
    }
    const input = { accountId: who.accountId, name: body.name, scopes: body.scopes, expiresAt };
    const deedOn = (target: Deed['target']): Deed => ({
      ...{ action: 'key.created', target, detail: [...new Set(body.scopes)].join(', ') },
    });
    const made = await audited(who, request, {
      // The key has no id yet.
      intent: deedOn({ id: who.accountId, name: body.name }),
      work: () => createKey(deps, input),
      deed: (result) => (result.status === 'created' ? deedOn(targetOf(result.apiKey)) : undefined),
    });
    if (made.status === 'account_not_found') throw new Error(`no account ${who.accountId}`);
    const { key, apiKey } = made;
    return done({ key, item: describeKey(apiKey, now()) });
  });

  guarded(ROUTES.keys.rename, { body: keyName }, async ({ who, params, body, request }) => {
    const own = await apiKeys.findApiKey(params.keyId as string);
    if (own?.account_id !== who.accountId) return notFound('API key');
    const renamed = await audited(who, request, {
      intent: renamedDeed(targetOf({ ...own, name: body.name }), own.name),
      work: () => renameKey(deps, own.key_id, body.name),
      deed: (result) =>
        result.status === 'renamed' ? renamedDeed(targetOf(result.apiKey), result.oldName) : undefined,
    });
    if (renamed.status === 'key_not_found') return notFound('API key');
    return done(describeKey(renamed.apiKey, now()));
  });

  guarded(ROUTES.keys.revoke, {}, async ({ who, params, request }) => {
    const own = await apiKeys.findApiKey(params.keyId as string);
    if (own?.account_id !== who.accountId) return notFound('API key');
    const work = (at: number) => revokeKey({ apiKeys, now: () => at }, own.key_id);
    const at = now();
    const change = auditedRevocation(own, targetOf(own), { work, now: at });
    const revoked = change === undefined ? await work(at) : await audited(who, request, change);
    if (revoked.status === 'key_not_found') return notFound('API key');
    // Guarantee 10: the response says that nothing more leaves for this key. After the entry: without Redis the key is revoked too.
    await stopForRevokedKey(deps.subscriptionDeps, own);
    return done(describeKey(revoked.apiKey, now()));
  });
}

function targetOf({ key_id, name, prefix }: ApiKey): { id: string; name: string } {
  return { id: key_id, name: `${name} (${prefix}…)` };
}

function describeKey(key: ApiKey, now: number): KeyItem {
  const expired = key.expires_at !== null && key.expires_at <= now;
  const live = expired ? 'expired' : 'active';
  return {
    key_id: key.key_id,
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    state: key.revoked_at === null ? live : 'revoked',
    created_at: formatInstant(key.created_at),
    expires_at: instantOrNull(key.expires_at),
    last_used_at: instantOrNull(key.last_used_at),
    last_used_from: key.last_used_from,
    revoked_at: instantOrNull(key.revoked_at),
  };
}
