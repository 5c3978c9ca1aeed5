import { CONVERSATION_STATUSES, type ConversationStatus } from '@sluice/contract/conversation';
import { LIST_SORTS, type ListSort } from '@sluice/contract/public-list';
import type { Conversation } from '@sluice/store/conversation-document';
import type { ConversationFilter, ConversationPage, Conversations } from '@sluice/store/conversations';
import { type Command, Option } from 'commander';
import { existingAccount } from '../accounts.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { conversationRow } from '../conversations/conversation-access.ts';
import { instant, positiveInteger } from '../option-types.ts';
import type { Row } from '../output.ts';

interface Options extends CommonOptions {
  readonly account?: string;
  readonly status?: ConversationStatus;
  readonly channel?: string;
  readonly lead?: string;
  readonly externalId?: string;
  readonly updatedSince?: number;
  readonly sort: ListSort;
  readonly limit?: number;
}

const COLUMNS = ['id', 'updated_at', 'status', 'channel_id', 'subject', 'contact', 'lead_id'];
const TABLE_LIMIT = 100;

/** sluice conversation list */
export function addConversationList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list conversations; all filters must match')
    .option('--account <id>', 'account of the conversations (default: demo, or the only account)')
    .addOption(new Option('--status <status>', 'only of this status').choices(CONVERSATION_STATUSES))
    .option('--channel <id>', 'only of this channel')
    .option('--lead <id>', 'only those linked to this lead')
    .option('--external-id <id>', "only with this id of the channel's own")
    .option('--updated-since <datetime>', 'only those changed at or after this time (ISO 8601)', instant)
    .addOption(new Option('--sort <order>', 'the order').choices(LIST_SORTS).default('-created_at'))
    .option('--limit <n>', `only the first N (default: ${TABLE_LIMIT}; all with --json)`, positiveInteger)
    .addHelpText('after', '\nExample:\n  sluice conversation list --status handoff_requested');

  onStores<Options>(context, command, async ({ stack, output, options }) => {
    const { accounts, conversations } = await stack.store();
    const account_id = await existingAccount({ accounts, output }, options.account);
    const limit = options.limit ?? (options.json ? Number.POSITIVE_INFINITY : TABLE_LIMIT);
    const filter = filterOf(account_id, options);
    await output.rows(rowsOf(conversations, filter, { sort: options.sort, limit }), COLUMNS);
  });
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

const PAGE = 200;

/** Reads page after page, so that only one is in memory. */
async function* rowsOf(
  conversations: Pick<Conversations, 'pageConversations'>,
  filter: ConversationFilter,
  { sort, limit }: ConversationPage,
): AsyncGenerator<Row> {
  const by = sort.endsWith('updated_at') ? 'updated_at' : 'created_at';
  let last: Conversation | undefined;
  for (let left = limit; left > 0; ) {
    const page = await conversations.pageConversations(filter, {
      ...{ sort, limit: Math.min(PAGE, left) },
      ...(last !== undefined && { after: { at: last[by], conversation_id: last.conversation_id } }),
    });
    for (const one of page.items) yield conversationRow(one);
    left -= page.items.length;
    last = page.items.at(-1);
    if (!page.more || last === undefined) return;
  }
}
