import { CONVERSATION_STATUSES, type ConversationStatus } from '@sluice/contract/conversation';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import type {
  ConversationFilter,
  ConversationPage,
  Conversations,
} from '@sluice/store/conversations/conversations';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Sources } from '@sluice/store/sources/sources';
import { type Command, Option } from 'commander';
import { existingAccount } from '../accounts.ts';
import { type Context, onStores } from '../context.ts';
import { conversationRow } from '../conversations/conversation-access.ts';
import { failed } from '../exit-codes.ts';
import type { Row } from '../output.ts';
import { addListOptions, type ListOptions, limitOf, readPages, sortedBy } from '../paged-list.ts';

interface Options extends ListOptions {
  readonly account?: string;
  readonly status?: ConversationStatus;
  readonly channel?: string;
  readonly lead?: string;
  readonly externalId?: string;
}

const COLUMNS = ['id', 'updated_at', 'status', 'channel_id', 'subject', 'contact', 'lead_id'];

/** sluice conversation list */
export function addConversationList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list conversations; all filters must match')
    .option('--account <id>', 'account of the conversations (default: demo, or the only account)')
    .addOption(new Option('--status <status>', 'only of this status').choices(CONVERSATION_STATUSES))
    .option('--channel <id>', 'only of this channel')
    .option('--lead <id>', 'only those linked to this lead')
    .option('--external-id <id>', "only with this id of the channel's own");
  addListOptions(command, 'conversations').addHelpText(
    'after',
    '\nExample:\n  sluice conversation list --status handoff_requested',
  );

  onStores<Options>(context, command, async ({ stack, output, options }) => {
    const { accounts, sources, conversations } = await stack.store();
    const account_id = await existingAccount({ accounts, output }, options.account);
    if (options.channel !== undefined) await expectChannel(sources, account_id, options.channel);
    await output.rows(rowsOf(conversations, filterOf(account_id, options), options), COLUMNS);
  });
}

/** Throws if the account never had the channel: a typo must not look like an empty list. Those of a deleted one can be kept. */
async function expectChannel(sources: Pick<Sources, 'findSource'>, accountId: string, channelId: string) {
  const found = await sources.findSource(channelId);
  if (found?.account_id === accountId && isChannel(found)) return;
  throw failed(`The account ${accountId} has no channel ${channelId}. See: sluice channel list`);
}

function filterOf(account_id: string, options: Options): ConversationFilter {
  const { status, channel, lead, externalId, updatedSince } = options;
  return {
    account_id,
    ...(status !== undefined && { status }),
    ...(channel !== undefined && { channel_id: channel }),
    ...(lead !== undefined && { lead_id: lead }),
    ...(externalId !== undefined && { external_id: externalId }),
    ...(updatedSince !== undefined && { updated_since: updatedSince }),
  };
}

type ConversationPlace = NonNullable<ConversationPage['after']>;

async function* rowsOf(
  conversations: Pick<Conversations, 'pageConversations'>,
  filter: ConversationFilter,
  options: ListOptions,
): AsyncGenerator<Row> {
  const { sort } = options;
  const by = sortedBy(sort);
  const found = readPages<Conversation, ConversationPlace>(limitOf(options), async ({ limit, after }) => {
    const { items, more } = await conversations.pageConversations(filter, {
      ...{ sort, limit },
      ...(after !== undefined && { after }),
    });
    const last = items.at(-1);
    const isLast = !more || last === undefined;
    return { items, next: isLast ? null : { at: last[by], conversation_id: last.conversation_id } };
  });
  for await (const one of found) yield conversationRow(one);
}
