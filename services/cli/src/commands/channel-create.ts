import { createChannel, newChannelId } from '@sluice/accounts/sources/create-channel';
import type { Command } from 'commander';
import { chooseAccount } from '../accounts.ts';
import { sourceTarget } from '../audit-targets.ts';
import { channelWithSecret } from '../channel-row.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { expectKnownKey, LOST_KEY, LOST_KEY_HELP } from '../expect-known-key.ts';
import { noSuchAccount } from '../no-such-account.ts';
import { givenName } from '../option-types.ts';
import { changeReplyOf } from '../publish-reply.ts';
import { checkedReplyUrl } from '../settings/reply-url.ts';

interface Options extends CommonOptions {
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

  onStores<Options>(context, command, async ({ stack, output, options, now, audited }) => {
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
