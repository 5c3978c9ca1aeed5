import { CONVERSATION_STATUSES, type ConversationStatus } from '@sluice/contract/conversation/conversation';
import { describeMessage } from '@sluice/conversations/describe-conversation';
import type { Conversation, ConversationMessage } from '@sluice/store/conversations/conversation-document';
import type { ConversationMessages } from '@sluice/store/conversations/conversation-messages';
import type {
  ConversationFilter,
  ConversationPage,
  Conversations,
} from '@sluice/store/conversations/conversations';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Sources } from '@sluice/store/sources/sources';
import { type Command, Option } from 'commander';
import { existingAccount } from '../accounts.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { conversationRow, findConversation } from '../conversations/conversation-access.ts';
import { failed } from '../exit-codes.ts';
import { positiveInteger } from '../option-types.ts';
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
  options: Options,
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

interface ShowOptions extends CommonOptions {
  readonly messages?: true;
  readonly limit?: number;
}

const MESSAGE_COLUMNS = ['sent_at', 'author', 'author_name', 'delivery', 'delivery_reason', 'text'];

/** sluice conversation show */
export function addConversationShow(parent: Command, context: Context): void {
  const command = parent
    .command('show')
    .description('show a conversation, or its messages')
    .argument('<conversation_id>', 'the conversation')
    .option('--messages', 'list its messages, oldest first')
    .option('--limit <n>', 'only the newest N messages', positiveInteger)
    .addHelpText('after', '\nExample:\n  sluice conversation show conv_… --messages --limit 20');

  onStores<ShowOptions>(context, command, async ({ stack, output, options }, conversationId = '') => {
    const store = await stack.store();
    const conversation = await findConversation(store, conversationId);
    if (options.messages || options.limit !== undefined)
      return output.rows(
        messagesOf(store.conversationMessages, conversation.conversation_id, options.limit),
        MESSAGE_COLUMNS,
      );
    output.record({ ...conversationRow(conversation), account_id: conversation.account_id });
  });
}

const PAGE = 200;

/** Oldest first. With a limit: the newest ones, which are read newest first and turned round. */
async function* messagesOf(
  messages: Pick<ConversationMessages, 'pageMessages'>,
  conversationId: string,
  limit: number | undefined,
): AsyncGenerator<Row> {
  if (limit === undefined) {
    for await (const one of pagesOf(messages, conversationId, { descending: false }))
      yield describeMessage(one);
    return;
  }
  const newest: ConversationMessage[] = [];
  for await (const one of pagesOf(messages, conversationId, { descending: true }))
    if (newest.push(one) === limit) break;
  yield* newest.reverse().map(describeMessage);
}

async function* pagesOf(
  messages: Pick<ConversationMessages, 'pageMessages'>,
  conversationId: string,
  { descending }: { readonly descending: boolean },
): AsyncGenerator<ConversationMessage> {
  let after: ConversationMessage | undefined;
  for (;;) {
    const page = await messages.pageMessages(conversationId, {
      ...{ descending, limit: PAGE },
      ...(after !== undefined && { after }),
    });
    yield* page.items;
    after = page.items.at(-1);
    if (!page.more || after === undefined) return;
  }
}
