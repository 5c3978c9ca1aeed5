import { randomUUID } from 'node:crypto';
import { messageInput } from '@sluice/contract/conversation/conversation';
import type { ActionRefused } from '@sluice/contract/problem/action-refused';
import { describeMessage } from '@sluice/conversations/describe-conversation';
import { type Replied, reply } from '@sluice/conversations/enqueue-and-apply';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import type { Command } from 'commander';
import { cliDoer } from '../audit.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { findConversation, noSuchConversation } from '../conversations/conversation-access.ts';
import { type CommandFailure, failed, tryAgainLater, wrongUsage } from '../exit-codes.ts';
import { parseOptions } from '../parse-options.ts';
import { readFileOption } from '../read-file-option.ts';
import type { Stack } from '../stack.ts';

interface Options extends CommonOptions {
  readonly text?: string;
  readonly textFile?: string;
  readonly authorName?: string;
}

const HELP = `
A reply needs a conversation that an agent has taken over: its status is handoff_active. It is sent to the reply URL of
its channel. "sluice conversation show ID --messages" shows whether it was delivered.

Example:
  sluice conversation reply conv_… --text "We open at six." --author-name Ada`;

/** sluice conversation reply */
export function addConversationReply(parent: Command, context: Context): void {
  const command = parent
    .command('reply')
    .description('reply to the visitor of a conversation')
    .argument('<conversation_id>', 'the conversation')
    .option('--text <text>', 'the text of the reply')
    .option('--text-file <file>', 'a file with the text; - is standard input')
    .option('--author-name <name>', 'name of the agent, for the visitor')
    .addHelpText('after', HELP);

  onStores<Options>(context, command, async ({ stack, output, options, now }, conversationId = '') => {
    const { text, author_name } = parseOptions(messageInput, {
      text: await textOf(context, options),
      ...(options.authorName !== undefined && { author_name: options.authorName }),
    });
    const deps = await actDeps(stack, now);
    const { account_id: accountId } = await findConversation(await stack.store(), conversationId);
    const replied = await reply(deps, {
      ...{ accountId, conversationId, text, authorName: author_name || null },
      ...{ by: { type: 'system', id: 'cli', name: null }, doer: cliDoer() },
      externalId: `sluice-${randomUUID()}`,
    });
    if (replied.status !== 'done') throw failureOf(conversationId, replied);
    output.record(describeMessage(replied.message));
  });
}

async function textOf({ streams }: Context, { text, textFile }: Options): Promise<string> {
  if (text !== undefined && textFile !== undefined) throw wrongUsage('Use either --text or --text-file.');
  if (text !== undefined) return text;
  if (textFile !== undefined)
    return (await readFileOption(streams, '--text-file', textFile)).toString('utf8');
  throw wrongUsage('Add --text TEXT, or --text-file FILE.');
}

/** Throws if a store is away, before anything is changed. */
async function actDeps(stack: Stack, now: () => number) {
  const { publisher, linkSoon } = await stack.recordChanges(now);
  const { conversations, conversationMessages, auditLog } = await stack.store();
  return {
    ...{ conversations, conversationMessages, auditLog, linkSoon, now, backoff: createRaceBackoff() },
    enqueueActions: await stack.enqueueActions(now),
    tell({ conversation_id: id, account_id, untold: changes }: Conversation) {
      if (changes.length > 0) publisher.publishSoon({ collection: 'conversations', id, account_id, changes });
    },
  };
}

function failureOf(conversationId: string, replied: Exclude<Replied, { status: 'done' }>): CommandFailure {
  switch (replied.status) {
    case 'not_found':
      return noSuchConversation(conversationId);
    case 'wrong_state':
      return failed(
        `The conversation is ${replied.state}. A reply needs handoff_active: an agent or the channel must accept the handoff first.`,
      );
    case 'refused':
      return refusedAction(replied.refusal);
  }
}

function refusedAction({ code, detail }: ActionRefused): CommandFailure {
  return code === 'unavailable' || code === 'rate_limited' ? tryAgainLater(detail) : failed(detail);
}
