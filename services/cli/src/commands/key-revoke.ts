import { revokedDeed, revokeKey } from '@sluice/management/revoke-key';
import type { Command } from 'commander';
import { keyTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { keyRow } from '../key-row.ts';

/** sluice key revoke */
export function addKeyRevoke(parent: Command, context: Context): void {
  const command = parent
    .command('revoke')
    .description('revoke an API key permanently; it stops working immediately')
    .argument('<key_id>', 'the key');

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audit }, keyId = '') => {
    const { apiKeys } = await stack.store();
    const result = await revokeKey({ apiKeys, now }, keyId);
    if (result.status === 'key_not_found') throw failed(`There is no key ${keyId}. See: sluice key list`);
    const noted = revokedDeed(result.apiKey, keyTarget(result.apiKey), now());
    if (noted !== undefined) await audit(result.apiKey.account_id, noted);
    output.record(keyRow(result.apiKey));
  });
}
