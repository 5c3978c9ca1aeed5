import { channelSettingsInWords } from '@sluice/dashboard-api/channel-settings-words';
import { knownChange } from '@sluice/management/audited';
import { changeSettings } from '@sluice/management/change-settings';
import { isChanged } from '@sluice/management/change-source';
import type { ChannelSettings, SourceSettings } from '@sluice/store/source';
import { REPLY_URL_REMOVED } from '@sluice/subscriptions/publish-reply';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { channelRow } from '../channel-row.ts';
import { type Context, onStores } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { publishReplyOf } from '../publish-reply.ts';
import { checkedReplyUrl } from '../settings/reply-url.ts';
import { addSettingsOptions, type SettingsOptions, settingsOf } from '../settings/settings-options.ts';
import { CHANNELS, findInFamily, noSuch } from '../source-family.ts';

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

  onStores<Options>(context, command, async ({ stack, output, options, now, audited }, channelId = '') => {
    const settings = await channelSettingsOf(context.env, options);
    const detail = channelSettingsInWords(settings);
    if (detail === '') throw wrongUsage('Nothing to change. Add an option, such as --name "Website chat".');
    const { accounts, sources, deletedConversations } = await stack.store();
    const before = await findInFamily(CHANNELS, sources, channelId);
    const directory = await stack.directory();
    const deed = { action: 'channel.changed', target: sourceTarget(before), detail } as const;
    const work = () => changeSettings({ accounts, sources, directory }, channelId, settings);
    const changed = await audited(before.account_id, knownChange(deed, work, isChanged));
    if (changed.status === 'source_not_found') throw noSuch('channel', channelId);
    output.record(channelRow(stack.eventsUrl, changed.source));
    if (settings.reply_url === undefined) return;
    await publishReplyOf(stack, now, before);
    // The waiting replies went with the URL. A repeat ends those that an interrupted command has left.
    if (settings.reply_url === null) await deletedConversations.failReplies(before, REPLY_URL_REMOVED);
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
