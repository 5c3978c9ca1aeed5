import { replyOverlapEnd } from '@sluice/accounts/secrets/rotate-reply-secret';
import { overlapEnd } from '@sluice/accounts/secrets/rotate-secret';
import { showReplySecret, showSecret } from '@sluice/accounts/secrets/show-secret';
import { formatInstant } from '@sluice/contract/instant';
import type { Keyring } from '@sluice/credentials/seal';
import { whyReplySecretUnopened, whyUnopened } from '@sluice/credentials/why-unopened';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Source } from '@sluice/store/sources/source';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import type { Row } from '../output.ts';
import { CHANNELS, EVENT_SOURCES, findInFamily, type SourceFamily } from '../source-family.ts';

/** sluice source show */
export function addSourceShow(parent: Command, context: Context): void {
  addShow(parent, context, EVENT_SOURCES);
}

/** sluice channel show */
export function addChannelShow(parent: Command, context: Context): void {
  addShow(parent, context, CHANNELS);
}

function addShow(parent: Command, context: Context, family: SourceFamily): void {
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
