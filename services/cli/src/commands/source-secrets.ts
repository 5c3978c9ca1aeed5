import { knownChange } from '@sluice/accounts/audit/audited';
import { describeUnfit } from '@sluice/accounts/secrets/change-sender';
import {
  type ReplySecretRotated,
  replyOverlapDetail,
  replyOverlapEnd,
  rotateReplySecret,
} from '@sluice/accounts/secrets/rotate-reply-secret';
import { endOverlap, overlapDetail, overlapEnd, rotateSecret } from '@sluice/accounts/secrets/rotate-secret';
import { isChanged } from '@sluice/accounts/sources/change-source';
import { newSecretFor } from '@sluice/accounts/sources/new-secret';
import type { Overlap } from '@sluice/contract/account/overlap';
import { formatInstant } from '@sluice/contract/time/instant';
import type { Source } from '@sluice/store/sources/source';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, type Job, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { expectKnownKey, LOST_KEY, LOST_KEY_HELP } from '../expect-known-key.ts';
import { overlapOption } from '../option-types.ts';
import { changeReplyOf } from '../publish-reply.ts';
import { readPastedSecret } from '../send/read-secret.ts';
import { CHANNELS, channelRow, findInFamily, noSuch, type SourceFamily } from '../source-family.ts';

interface RotateOptions extends CommonOptions {
  readonly overlap: Overlap;
  readonly lostKey?: true;
  readonly secretStdin?: true;
}

/** sluice source rotate-secret, sluice channel rotate-secret */
export function addRotateSecret(parent: Command, context: Context, family: SourceFamily): void {
  const command = parent
    .command('rotate-secret')
    .description('replace the signing secret; the old one stops working immediately, or after --overlap')
    .argument(family.argument, `the ${family.noun}`)
    .addOption(overlapOption('how long the old secret is still accepted', '0'))
    .option('--secret-stdin', 'read the new secret from standard input, because the sender has made it')
    .option(LOST_KEY, LOST_KEY_HELP);

  onStores<RotateOptions>(
    context,
    command,
    async ({ stack, output, now, audited, options }, sourceId = '') => {
      const keyring = stack.keyring();
      const { accounts, sources } = await stack.store();
      const directory = await stack.directory();
      const { overlap, lostKey, secretStdin } = options;
      const pasted = secretStdin && (await readPastedSecret(context.streams));
      const before = await findInFamily(family, sources, sourceId);
      if (!lostKey) expectKnownKey(keyring, before);
      const signingSecret = pasted === undefined ? newSecretFor(before) : expectFit(before, pasted);
      const deps = { accounts, sources, directory, keyring, now };
      const deed = { action: 'secret.rotated', target: sourceTarget(before) } as const;
      const result = await audited(before.account_id, {
        intent: deed,
        work: () => rotateSecret(deps, sourceId, { signingSecret, overlap }),
        deed(rotated) {
          if (rotated.status !== 'rotated') return undefined;
          const until = overlapEnd(rotated.source, now());
          return { ...deed, ...(until !== null && { detail: overlapDetail(until) }) };
        },
      });
      if (result.status !== 'rotated') throw noSuch(family.noun, sourceId);
      const until = overlapEnd(result.source, now());
      if (until !== null) output.note(`The old secret is accepted until ${formatInstant(until)}.`);
      output.record(family.withSecret(stack.eventsUrl, result.source, result.signingSecret));
    },
  );
}

/** Fails for a secret that the sender of the source cannot have made. */
function expectFit({ source_id, sender }: Source, secret: string): string {
  if (sender === undefined)
    throw failed(`Sluice makes the secrets of ${source_id}. Choose its sender first: sluice source sender`);
  const fault = describeUnfit(sender, secret);
  if (fault !== null) throw failed(`${fault} Nothing was changed.`);
  return secret;
}

/** sluice source end-overlap, sluice channel end-overlap */
export function addEndOverlap(parent: Command, context: Context, family: SourceFamily): void {
  const command = parent
    .command('end-overlap')
    .description(
      'end the overlap of rotate-secret --overlap; the old signing secret stops working immediately',
    )
    .argument(family.argument, `the ${family.noun}`);

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audited }, sourceId = '') => {
    const { accounts, sources } = await stack.store();
    const before = await findInFamily(family, sources, sourceId);
    if (overlapEnd(before, now()) === null) output.note("There is no overlap. The old secret doesn't work.");
    else {
      const directory = await stack.directory();
      const deed = { action: 'secret.overlap_ended', target: sourceTarget(before) } as const;
      const work = () => endOverlap({ accounts, sources, directory, now }, sourceId);
      await audited(before.account_id, knownChange(deed, work, isChanged));
    }
    output.record(family.row(stack.eventsUrl, before));
  });
}

/** sluice channel rotate-reply-secret */
export function addChannelRotateReplySecret(parent: Command, context: Context): void {
  const command = parent
    .command('rotate-reply-secret')
    .description('replace the secret that signs replies; replies have both signatures during --overlap')
    .argument('<channel_id>', 'the channel')
    .addOption(overlapOption('how long replies are signed with the old secret too', '24h'))
    .option(LOST_KEY, LOST_KEY_HELP);

  onStores<RotateOptions>(
    context,
    command,
    async ({ stack, output, now, audited, options }, channelId = '') => {
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
        if (result.status === 'rotated') showReply({ stack, output, now }, result);
        return result;
      });
      if (rotated.status !== 'rotated') throw noSuch('channel', channelId);
    },
  );
}

function showReply(
  { stack, output, now }: Pick<Job<unknown>, 'stack' | 'output' | 'now'>,
  { channel, replySecret }: Extract<ReplySecretRotated, { status: 'rotated' }>,
): void {
  const until = replyOverlapEnd(channel, now());
  if (until !== null)
    output.note(`Replies are signed with the old secret too until ${formatInstant(until)}.`);
  output.record({ ...channelRow(stack.eventsUrl, channel), reply_secret: replySecret });
}
