import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { resealEverything } from '../reseal.ts';

const HELP = `
This is one step of changing SLUICE_SECRET_KEY; docs/security.md lists all of them. A second run changes nothing.`;

/** Number of sources between two progress messages. */
const PROGRESS_EVERY = 500;

/** sluice secrets reseal */
export function addSecretsReseal(parent: Command, context: Context): void {
  const command = parent
    .command('reseal')
    .description(
      'encrypt all secrets of sources, channels, webhook subscriptions and two-factor sign-in again with the current SLUICE_SECRET_KEY; their values stay the same',
    )
    .addHelpText('after', HELP);

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audit }) => {
    const { resealed, alreadyCurrent, unreadable, accounts } = await resealEverything(
      stack,
      now,
      ({ done, total }) => {
        if (done % PROGRESS_EVERY === 0) output.note(`${done} of ${total} sources`);
      },
    );
    // One entry for each account, so that its admins see the change without flooding the log.
    for (const [accountId, name] of accounts)
      await audit(accountId, { action: 'secret.resealed', target: { id: accountId, name } });
    for (const { id, why } of unreadable) output.note(`${id}: ${why}`);
    output.record({ resealed, already_current: alreadyCurrent, unreadable: unreadable.length });
    if (unreadable.length > 0)
      throw failed("Some secrets can't be decrypted. Keep every key that you still have.");
    output.note('SLUICE_SECRET_KEYS_OLD is no longer needed.');
  });
}
