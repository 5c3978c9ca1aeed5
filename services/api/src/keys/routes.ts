import type { Deed } from '@sluice/accounts/audit/audited';
import { auditedRevocation, renamedDeed, renameKey, revokeKey } from '@sluice/accounts/keys/change-key';
import { createKey } from '@sluice/accounts/keys/create-key';
import { rotateKey } from '@sluice/accounts/keys/rotate-key';
import { overlapMs } from '@sluice/contract/account/overlap';
import { DAY_MS } from '@sluice/contract/time/durations';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import { type KeyItem, keyName, keyRotation, newKey } from '@sluice/dashboard-api/keys';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { handOver } from '@sluice/outbound/subscriptions/hand-over';
import { stopForRevokedKey } from '@sluice/outbound/subscriptions/pause-for-key';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { refuseOneMore } from '../http/account-limits.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound, type Refusal, refuse, refuseFields } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { keyActivity } from './activity.ts';

/** How long a revoked key is listed. Its document stays, so that its requests still get `key_revoked`. */
export const REVOKED_LISTED_MS = 30 * DAY_MS;

/** API keys: list, create (the full key is returned once), rename, rotate, revoke. */
export function keyRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { apiKeys, now, audited } = deps;
  const listed = (account_id: string) =>
    apiKeys.listApiKeys({ account_id, revoked_since: now() - REVOKED_LISTED_MS });

  guarded(ROUTES.keys.list, {}, async ({ who }) => {
    const own = await listed(who.accountId);
    const items = own.toReversed().map(async (key) => ({
      ...describeKey(key, now()),
      ...(await keyActivity(deps, key.key_id)),
    }));
    return done({ items: await Promise.all(items) });
  });

  guarded(ROUTES.keys.create, { body: newKey }, async ({ who, body, request }) => {
    const expiresAt = body.expires_at ?? null;
    if (isPast(expiresAt, now())) return IN_THE_PAST;
    const own = await listed(who.accountId);
    const tooMany = refuseOneMore('API keys, counting those revoked in the last 30 days,', own.length);
    if (tooMany !== undefined) return tooMany;
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

  guarded(ROUTES.keys.rotate, { body: keyRotation }, async ({ who, params, body, request }) => {
    const old = await apiKeys.findApiKey(params.keyId as string);
    if (old?.account_id !== who.accountId) return notFound('API key');
    const { overlap, expires_at: expiresAt } = body;
    if (isPast(expiresAt, now())) return IN_THE_PAST;
    const own = await listed(who.accountId);
    const tooMany = refuseOneMore('API keys, counting rotated ones of the last 30 days,', own.length);
    if (tooMany !== undefined) return tooMany;
    // Fails before anything is changed if Redis is away: a new key whose response is lost cannot be shown again.
    await deps.subscriptionDeps.subscriptionDirectory.version(who.accountId);
    const giveAll = (to: ApiKey) => handOver(deps.subscriptionDeps, old.key_id, to);
    const rotation = {
      ...{ keyId: old.key_id, overlapMs: overlapMs(overlap), expiresAt },
      onCreated: async (_key: string | undefined, apiKey: ApiKey) => void (await giveAll(apiKey)),
    };
    const deedOn = (apiKey: ApiKey, detail: string): Deed => ({
      ...{ action: 'key.rotated', target: targetOf(apiKey), detail },
    });
    const rotated = await audited(who, request, {
      // The new key has no id yet.
      intent: deedOn(old, `overlap ${overlap}`),
      work: () => rotateKey(deps, rotation),
      deed: (result) =>
        'apiKey' in result ? deedOn(result.apiKey, `replaces ${old.key_id}, overlap ${overlap}`) : undefined,
    });
    switch (rotated.status) {
      case 'key_not_found':
        return notFound('API key');
      case 'key_dead':
        return refuse('conflict', 'The key was revoked or has expired. Create a key.');
      case 'key_replaced':
        // A rotation that was interrupted may have left some with the old key.
        await giveAll(rotated.by);
        return replacedBy(rotated.by);
      case 'completed':
        await giveAll(rotated.apiKey);
        return replacedBy(rotated.apiKey);
      case 'rotated':
        // Until the old key knew its successor, it subscribed for itself.
        await giveAll(rotated.apiKey);
        return done({ key: rotated.key, item: describeKey(rotated.apiKey, now()) });
    }
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

const IN_THE_PAST = refuseFields([
  { pointer: '/expires_at', detail: 'In the past. Choose a later date, or no expiry.' },
]);

function isPast(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** An earlier rotation was not known to the user, because its response was lost. */
function replacedBy({ prefix }: ApiKey): Refusal {
  return refuse(
    'conflict',
    `An earlier rotation has replaced this key by ${prefix}…. If you don't have that key, rotate it.`,
  );
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
    replaced: key.replaced_by !== undefined,
  };
}
