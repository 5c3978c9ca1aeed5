import { auditedRevocation, type KeyRevoked, revokeKey } from '@sluice/accounts/keys/change-key';
import { isRedisUnavailable } from '@sluice/redis/connection/redis-away';
import type { Command } from 'commander';
import { keyTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { CommandFailure, tryAgainLater } from '../exit-codes.ts';
import { keyRow } from '../key-row.ts';
import { noSuchKey } from '../no-such-key.ts';
import type { Stack } from '../stack.ts';

/** sluice key revoke */
export function addKeyRevoke(parent: Command, context: Context): void {
  const command = parent
    .command('revoke')
    .description('revoke an API key permanently; it and its webhook subscriptions stop working immediately')
    .argument('<key_id>', 'the key');

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audited }, keyId = '') => {
    const { apiKeys } = await stack.store();
    const before = await apiKeys.findApiKey(keyId);
    if (before === undefined) throw noSuchKey(keyId);
    const work = (at: number) => revokeKey({ apiKeys, now: () => at }, keyId);
    const at = now();
    const change = auditedRevocation(before, keyTarget(before), { work, now: at });
    const result = change === undefined ? await work(at) : await audited(before.account_id, change);
    if (result.status === 'key_not_found') throw noSuchKey(keyId);
    await pauseSubscriptions(stack, now, result);
    output.record(keyRow(result.apiKey));
  });
}

/** Resolves once no message leaves for a subscription of the key. Redis is needed only if the key may subscribe. */
async function pauseSubscriptions(
  stack: Stack,
  now: () => number,
  { apiKey }: Extract<KeyRevoked, { status: 'revoked' }>,
): Promise<void> {
  const { key_id: keyId, scopes } = apiKey;
  if (!scopes.includes('webhooks')) return;
  const { stopForRevokedKey } = await import('@sluice/outbound/subscriptions/pause-for-key');
  try {
    await stopForRevokedKey(await stack.publishing(now), apiKey);
  } catch (error) {
    if (!isRedisUnavailable(error) && !(error instanceof CommandFailure)) throw error;
    throw tryAgainLater(
      `The key ${keyId} is revoked, but its webhook subscriptions may still get messages: ${(error as Error).message} Run this command again to be certain.`,
      error,
    );
  }
}
