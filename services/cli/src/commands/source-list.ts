import { replyOverlapEnd } from '@sluice/accounts/secrets/rotate-reply-secret';
import { overlapEnd } from '@sluice/accounts/secrets/rotate-secret';
import { showReplySecret, showSecret } from '@sluice/accounts/secrets/show-secret';
import { formatInstant } from '@sluice/contract/time/instant';
import type { Keyring } from '@sluice/credentials/seal';
import { whyReplySecretUnopened, whyUnopened } from '@sluice/credentials/why-unopened';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Source } from '@sluice/store/sources/source';
import type { Command } from 'commander';
import { expectAccount } from '../accounts.ts';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import type { Row } from '../output.ts';
import { findInFamily, type SourceFamily } from '../source-family.ts';

/** sluice source show, sluice channel show */
export function addShow(parent: Command, context: Context, family: SourceFamily): void {
  const command = parent
    .command('show')
    .description(`show a ${family.noun} with its signing secret`)
    .argument(family.argument, `the ${family.noun}`);

  onStores<CommonOptions>(context, command, async ({ stack, output, audit, now }, sourceId = '') => {
    const keyring = stack.keyring();
    const { sources } = await stack.store();
    const source = await findInFamily(family, sources, sourceId);
    const secret = showSecret(keyring, source);
    if (secret.status !== 'opened') {
      throw failed(`${sourceId}: ${whyUnopened(secret)}`);
    }
    await audit(source.account_id, { action: 'secret.revealed', target: sourceTarget(source) });
    const row = family.withSecret(stack.eventsUrl, source, secret.secret);
    output.record({
      ...row,
      ...until('old_secret_accepted_until', overlapEnd(source, now())),
      ...replySecretOf(keyring, source),
      ...until('old_reply_secret_until', replyOverlapEnd(source, now())),
    });
  });
}

/** The end of an overlap that runs. */
function until(name: string, endMs: number | null): Row {
  return endMs === null ? {} : { [name]: formatInstant(endMs) };
}

/** The secret of a channel's replies. Other sources have none. */
function replySecretOf(keyring: Keyring, source: Source): { reply_secret?: string } {
  if (!isChannel(source)) return {};
  const opened = showReplySecret(keyring, source);
  if (opened.status !== 'opened') throw failed(`${source.source_id}: ${whyReplySecretUnopened(opened)}`);
  return { reply_secret: opened.secret };
}

interface ListOptions extends CommonOptions {
  readonly account?: string;
}

/** sluice source list, sluice channel list */
export function addList(parent: Command, context: Context, { kind, noun, columns, row }: SourceFamily): void {
  const command = parent
    .command('list')
    .description(`list the ${noun}s, oldest first`)
    .option('--account <id>', 'only those of one account');

  onStores<ListOptions>(context, command, async ({ stack, output, options }) => {
    const { accounts, sources } = await stack.store();
    await expectAccount(accounts, options.account);
    const account = options.account === undefined ? {} : { account_id: options.account };
    const found = await sources.listSources({ ...account, kind, live: true });
    await output.rows(
      found.map((source) => row(stack.eventsUrl, source)),
      [...columns],
    );
  });
}
