import type { Deed } from '@sluice/accounts/audit/audited';
import { type KeyRotated, rotateKey } from '@sluice/accounts/keys/rotate-key';
import { type Overlap, overlapMs } from '@sluice/contract/account/overlap';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Command } from 'commander';
import { keyTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { type CommandFailure, failed } from '../exit-codes.ts';
import { overlapOption } from '../option-types.ts';
import type { Output } from '../output.ts';
import type { Stack } from '../stack.ts';
import { noSuchKey } from './key.ts';

interface Options extends CommonOptions {
  readonly overlap: Overlap;
}

const HELP = `
The webhook subscriptions of the key go over to the new one. Give the new key to the client within the overlap. Until then the old
key reaches these subscriptions too, and what it subscribes belongs to the new key. If the old key has leaked, use --overlap 0.

If the command is interrupted, both keys may work without an end: run it again. A repeat cannot print the new key. If you don't have
that key, repeat the command with --overlap 24h, and rotate the new key that it names. With --overlap 0 a repeat ends the old key at
once, so the client has no key that works until you have rotated the new key.

Example:
  sluice key rotate key_… --overlap 24h`;

/** sluice key rotate */
export function addKeyRotate(parent: Command, context: Context): void {
  const command = parent
    .command('rotate')
    .description(
      'replace an API key by a new one with the same name, scopes and expiry; it is shown only once',
    )
    .argument('<key_id>', 'the key')
    .addOption(overlapOption('how long the old key still works', '24h'))
    .addHelpText('after', HELP);

  onStores<Options>(context, command, async ({ stack, output, options, now, audited }, keyId = '') => {
    const { accounts, apiKeys } = await stack.store();
    const before = await apiKeys.findApiKey(keyId);
    if (before === undefined) throw noSuchKey(keyId);
    const handOverAll = await prepareHandOver(stack, now, keyId);
    const giveAll = async (apiKey: ApiKey) => {
      const count = await handOverAll(apiKey);
      if (count > 0) output.note(`Webhook subscriptions that belong to the new key now: ${count}.`);
    };
    const rotation = {
      keyId,
      overlapMs: overlapMs(options.overlap),
      async onCreated(key: string | undefined, apiKey: ApiKey) {
        // Shown before anything else can fail.
        if (key !== undefined) print(output, key, apiKey, keyId);
        await giveAll(apiKey);
      },
    };
    const overlap = `overlap ${options.overlap}`;
    const deedOn = (apiKey: ApiKey, detail: string): Deed => ({
      ...{ action: 'key.rotated', target: keyTarget(apiKey), detail },
    });
    const result = await audited(before.account_id, {
      // The new key has no id yet.
      intent: deedOn(before, overlap),
      work: () => rotateKey({ accounts, apiKeys, now }, rotation),
      deed: (rotated) =>
        'apiKey' in rotated ? deedOn(rotated.apiKey, `replaces ${keyId}, ${overlap}`) : undefined,
    });
    if (result.status === 'key_not_found') throw noSuchKey(keyId);
    if (result.status === 'key_dead')
      throw failed(
        `The key ${keyId} was revoked or has expired, so there is nothing to replace. Create one: sluice key create`,
      );
    if (result.status === 'key_replaced') {
      // A rotation that was interrupted may have left some with the old key.
      await giveAll(result.by);
      throw failed(
        `The key ${keyId} was replaced by ${result.by.key_id} already. If that one is lost, rotate it: sluice key rotate ${result.by.key_id}`,
      );
    }
    output.note(ended(result.old));
    // Until the old key knew its successor, it subscribed for itself.
    await giveAll(result.apiKey);
    if (result.status === 'completed') throw completed(result);
  });
}

function completed({ old, apiKey }: Extract<KeyRotated, { status: 'completed' }>): CommandFailure {
  const { key_id: id, prefix } = apiKey;
  const isOver = old.revoked_at !== null;
  const client = isOver ? ' A client without it is rejected from now on.' : '';
  return failed(
    `An earlier rotation of ${old.key_id} was interrupted. It is complete now: ${id} (${prefix}…) replaces it.${client} If you don't have that key, rotate it${isOver ? ' now' : ''}: sluice key rotate ${id}`,
  );
}

function print(
  output: Output,
  key: string,
  { key_id, prefix, scopes, expires_at }: ApiKey,
  replaces: string,
) {
  output.note("Save the key now. It can't be shown again.");
  output.record({
    ...{ key, key_id, prefix, scopes, replaces },
    expires_at: instantOrNull(expires_at),
  });
}

function ended({ key_id, revoked_at, expires_at }: ApiKey): string {
  if (revoked_at !== null || expires_at === null) return `The old key ${key_id} stopped working.`;
  return `The old key ${key_id} works until ${formatInstant(expires_at)}.`;
}

/** Connects to Redis before anything is changed, if the key has subscriptions. The result hands over what it has by then. */
async function prepareHandOver(stack: Stack, now: () => number, keyId: string) {
  const { subscriptions } = await stack.store();
  const hasSome = async () => (await subscriptions.listOfKey(keyId)).length > 0;
  if (await hasSome()) await stack.publishing(now);
  return async (apiKey: ApiKey): Promise<number> => {
    if (!(await hasSome())) return 0;
    const { handOver } = await import('@sluice/outbound/subscriptions/hand-over');
    return handOver(await stack.publishing(now), keyId, apiKey);
  };
}
