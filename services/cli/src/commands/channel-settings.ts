import { createChannel, newChannelId } from '@sluice/accounts/sources/create-channel';
import { channelSettingsInWords } from '@sluice/dashboard-api/settings-words';
import { outboundRules } from '@sluice/egress/address-policy';
import { REPLY_URL_REMOVED } from '@sluice/outbound/subscriptions/publish-reply';
import { checkReplyUrl, createCheckTargetUrl } from '@sluice/outbound/subscriptions/target-url-check';
import type { ChannelSettings, SourceSettings } from '@sluice/store/sources/source';
import type { Command } from 'commander';
import { chooseAccount, noSuchAccount } from '../accounts.ts';
import { sourceTarget } from '../audit-targets.ts';
import { configuredLimits } from '../configured.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { expectKnownKey, LOST_KEY, LOST_KEY_HELP } from '../expect-known-key.ts';
import { givenName } from '../option-types.ts';
import { changeReplyOf } from '../publish-reply.ts';
import { refusedUrl } from '../refused-url.ts';
import { addSettingsOptions, type SettingsOptions, settingsOf } from '../settings/settings-options.ts';
import { CHANNELS, channelRow, channelWithSecret } from '../source-family.ts';
import { type SourceUpdate, updateSource } from '../update-source.ts';

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly account?: string;
  readonly replyUrl?: string;
  readonly makesLeads?: true;
  readonly lostKey?: true;
}

/** sluice channel create */
export function addChannelCreate(parent: Command, context: Context): void {
  const command = parent
    .command('create')
    .description('create a channel: an endpoint URL and a signing secret for one chat platform')
    .requiredOption('--name <name>', 'name of the channel', givenName)
    .option('--account <id>', 'account of the channel (default: demo, or the only account)')
    .option('--reply-url <url>', 'where replies are sent (default: nowhere)')
    .option('--makes-leads', 'make a lead for each new contact with an email address or a phone number')
    .option(LOST_KEY, LOST_KEY_HELP)
    .addHelpText('after', '\nExample:\n  sluice channel create --name "Website chat"');

  onStores<CreateOptions>(context, command, async ({ stack, output, options, now, audited }) => {
    const { replyUrl: given } = options;
    // Wrong usage is reported before any store is asked.
    const replyUrl = given === undefined ? null : await checkedReplyUrl(stack.env, given);
    const keyring = stack.keyring();
    const { accounts, sources } = await stack.store();
    const directory = await stack.directory();
    if (!options.lostKey) expectKnownKey(keyring, (await sources.listSources({})).at(-1));
    const accountId = await chooseAccount({ accounts, output, now }, options.account);
    // Before a fence in Redis, which an unknown account must not get.
    if ((await accounts.findAccount(accountId)) === undefined) throw noSuchAccount(accountId);
    const { name, makesLeads = false } = options;
    const channelId = newChannelId();
    const deps = { accounts, sources, directory, keyring, now };
    const create = async (): Promise<void> => {
      const result = await audited(accountId, {
        // Nothing has this id yet.
        intent: { action: 'channel.created', target: { id: accountId, name } },
        work: () => createChannel(deps, { channelId, accountId, name, replyUrl, makesLeads }),
        deed: (made) =>
          made.status === 'created'
            ? { action: 'channel.created', target: sourceTarget(made.channel) }
            : undefined,
      });
      if (result.status === 'account_not_found') throw noSuchAccount(accountId);
      const { channel, signingSecret, replySecret } = result;
      // Before the publication, whose failure must not lose the secrets.
      output.record({
        ...channelWithSecret(stack.eventsUrl, channel, signingSecret),
        reply_secret: replySecret,
      });
    };
    if (replyUrl === null) return create();
    const again = `Run: sluice channel update ${channelId} with the same --reply-url.`;
    await changeReplyOf(stack, now, { account_id: accountId, source_id: channelId }, create, again);
  });
}

interface UpdateOptions extends SettingsOptions {
  readonly replyUrl?: string;
  readonly makesLeads?: boolean;
}

const UPDATE_HELP = `
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
    .addHelpText('after', UPDATE_HELP);

  onStores<UpdateOptions>(context, command, async ({ stack, output, options, now, audited }, id = '') => {
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
  { replyUrl, makesLeads, ...rest }: UpdateOptions,
): Promise<SourceSettings & ChannelSettings> {
  return {
    ...settingsOf(rest),
    ...(replyUrl !== undefined && {
      reply_url: replyUrl === '' ? null : await checkedReplyUrl(env, replyUrl),
    }),
    ...(makesLeads !== undefined && { makes_leads: makesLeads }),
  };
}

/** The URL in the form that is stored. Throws wrong usage if the dashboard would reject it too. */
async function checkedReplyUrl(env: NodeJS.ProcessEnv, text: string): Promise<string> {
  const checkTargetUrl = createCheckTargetUrl(outboundRules(configuredLimits(env)));
  const checked = await checkReplyUrl({ checkTargetUrl }, text, 'cli');
  if (checked.outcome === 'refused') throw refusedUrl('--reply-url', checked.detail);
  return checked.url;
}
