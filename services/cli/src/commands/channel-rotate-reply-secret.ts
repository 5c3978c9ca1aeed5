import {
  type ReplySecretRotated,
  replyOverlapDetail,
  replyOverlapEnd,
  rotateReplySecret,
} from '@sluice/accounts/secrets/rotate-reply-secret';
import { formatInstant } from '@sluice/contract/instant';
import type { Overlap } from '@sluice/contract/overlap';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { channelRow } from '../channel-row.ts';
import { type CommonOptions, type Context, type Job, onStores } from '../context.ts';
import { expectKnownKey, LOST_KEY, LOST_KEY_HELP } from '../expect-known-key.ts';
import { overlapOption } from '../option-types.ts';
import { changeReplyOf } from '../publish-reply.ts';
import { CHANNELS, findInFamily, noSuch } from '../source-family.ts';

interface Options extends CommonOptions {
  readonly overlap: Overlap;
  readonly lostKey?: true;
}

/** sluice channel rotate-reply-secret */
export function addChannelRotateReplySecret(parent: Command, context: Context): void {
  const command = parent
    .command('rotate-reply-secret')
    .description('replace the secret that signs replies; replies have both signatures during --overlap')
    .argument('<channel_id>', 'the channel')
    .addOption(overlapOption('how long replies are signed with the old secret too', '24h'))
    .option(LOST_KEY, LOST_KEY_HELP);

  onStores<Options>(context, command, async ({ stack, output, now, audited, options }, channelId = '') => {
    const keyring = stack.keyring();
    const { accounts, sources } = await stack.store();
    const directory = await stack.directory();
    const before = await findInFamily(CHANNELS, sources, channelId);
    if (!options.lostKey) expectKnownKey(keyring, before);
    const deps = { accounts, sources, directory, keyring, now };
    const deed = { action: 'channel.reply_secret_rotated', target: sourceTarget(before) } as const;
    const change = {
      intent: deed,
      work: () => rotateReplySecret(deps, channelId, options.overlap),
      deed(rotated: ReplySecretRotated) {
        if (rotated.status !== 'rotated') return undefined;
        const until = replyOverlapEnd(rotated.channel, now());
        return { ...deed, ...(until !== null && { detail: replyOverlapDetail(until) }) };
      },
    };
    const rotated = await changeReplyOf(stack, now, before, async () => {
      const result = await audited(before.account_id, change);
      // Before the publication, whose failure must not lose the secret.
      if (result.status === 'rotated') show({ stack, output, now }, result);
      return result;
    });
    if (rotated.status !== 'rotated') throw noSuch('channel', channelId);
  });
}

function show(
  { stack, output, now }: Pick<Job<unknown>, 'stack' | 'output' | 'now'>,
  { channel, replySecret }: Extract<ReplySecretRotated, { status: 'rotated' }>,
): void {
  const until = replyOverlapEnd(channel, now());
  if (until !== null)
    output.note(`Replies are signed with the old secret too until ${formatInstant(until)}.`);
  output.record({ ...channelRow(stack.eventsUrl, channel), reply_secret: replySecret });
}
