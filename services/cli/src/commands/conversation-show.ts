import { describeMessage } from '@sluice/conversations/describe-conversation';
import type { ConversationMessage } from '@sluice/store/conversations/conversation-document';
import type { ConversationMessages } from '@sluice/store/conversations/conversation-messages';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { conversationRow, findConversation } from '../conversations/conversation-access.ts';
import { positiveInteger } from '../option-types.ts';
import type { Row } from '../output.ts';

interface Options extends CommonOptions {
  readonly messages?: true;
  readonly limit?: number;
}

const COLUMNS = ['sent_at', 'author', 'author_name', 'delivery', 'delivery_reason', 'text'];

/** sluice conversation show */
export function addConversationShow(parent: Command, context: Context): void {
  const command = parent
    .command('show')
    .description('show a conversation, or its messages')
    .argument('<conversation_id>', 'the conversation')
    .option('--messages', 'list its messages, oldest first')
    .option('--limit <n>', 'only the newest N messages', positiveInteger)
    .addHelpText('after', '\nExample:\n  sluice conversation show conv_… --messages --limit 20');

  onStores<Options>(context, command, async ({ stack, output, options }, conversationId = '') => {
    const store = await stack.store();
    const conversation = await findConversation(store, conversationId);
    if (options.messages || options.limit !== undefined)
      return output.rows(
        messagesOf(store.conversationMessages, conversation.conversation_id, options.limit),
        COLUMNS,
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
