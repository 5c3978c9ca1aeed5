import { channelSettingsInWords } from '@sluice/dashboard-api/settings-words';
import { REPLY_URL_REMOVED } from '@sluice/outbound/subscriptions/publish-reply';
import type { ChannelSettings, SourceSettings } from '@sluice/store/sources/source';
import type { Command } from 'commander';
import { channelRow } from '../channel-row.ts';
import { type Context, onStores } from '../context.ts';
import { changeReplyOf } from '../publish-reply.ts';
import { checkedReplyUrl } from '../settings/reply-url.ts';
import { addSettingsOptions, type SettingsOptions, settingsOf } from '../settings/settings-options.ts';
import { CHANNELS } from '../source-family.ts';
import { type SourceUpdate, updateSource } from '../update-source.ts';

interface Options extends SettingsOptions {
  readonly replyUrl?: string;
  readonly makesLeads?: boolean;
}

const HELP = `
An empty value removes the reply URL: --reply-url "". Replies that wait fail then.

Example:
  sluice channel update chn_… --name "Website chat" --reply-url https://chat.example.com/replies`;

/** sluice channel update */
export function addChannelUpdate(parent: Command, context: Context): void {
  const command = addSettingsOptions(
    parent.command('update').argument('<channel_id>', 'the channel'),
    'channel',
  )
    .description('change the name or the settings of a channel; what is not named stays')
    .option('--reply-url <url>', 'where replies are sent')
    .option('--makes-leads', 'make a lead for each new contact with an email address or a phone number')
    .option('--no-makes-leads', 'make no leads')
    .addHelpText('after', HELP);

  onStores<Options>(context, command, async ({ stack, output, options, now, audited }, id = '') => {
    const settings = await channelSettingsOf(stack.env, options);
    const around: SourceUpdate['around'] = (before, change) => changeReplyOf(stack, now, before, change);
    const channel = await updateSource(
      { stack, audited },
      {
        ...{ family: CHANNELS, id, settings, detail: channelSettingsInWords(settings) },
        example: '--name "Website chat"',
        ...(settings.reply_url !== undefined && { around }),
      },
    );
    // The waiting replies went with the URL. A repeat ends those that an interrupted command has left.
    const { deletedConversations } = await stack.store();
    if (settings.reply_url === null) await deletedConversations.failReplies(channel, REPLY_URL_REMOVED);
    output.record(channelRow(stack.eventsUrl, channel));
  });
}

async function channelSettingsOf(
  env: NodeJS.ProcessEnv,
  { replyUrl, makesLeads, ...rest }: Options,
): Promise<SourceSettings & ChannelSettings> {
  return {
    ...settingsOf(rest),
    ...(replyUrl !== undefined && {
      reply_url: replyUrl === '' ? null : await checkedReplyUrl(env, replyUrl),
    }),
    ...(makesLeads !== undefined && { makes_leads: makesLeads }),
  };
}
