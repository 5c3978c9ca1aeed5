import { ACTION_KINDS } from '@sluice/contract/event/action';
import type { SubscriptionRecord } from '@sluice/contract/subscription/subscription';
import { TEST_KINDS, type TestResult, testInput } from '@sluice/contract/subscription/webhook-again';
import { Argument, type Command } from 'commander';
import type { ApiOptions } from '../api/api-access.ts';
import type { CallApi } from '../api/call-api.ts';
import { onApi } from '../api/on-api.ts';
import type { CommonOptions, Context } from '../context.ts';
import { failed, tryAgainLater, wrongUsage } from '../exit-codes.ts';
import { parseOptions } from '../parse-options.ts';
import { testRow } from '../webhooks/test-row.ts';

interface Options extends CommonOptions, ApiOptions {
  readonly subscription?: string;
}

const HELP = `
Needs an API key with the scope webhooks. Without --subscription the message goes to a running sluice listen of this key, or to its
only webhook subscription. It is signed and marked as a test, and it changes no record.

To send a signed upsert, cancel or delete through a source: sluice send upsert --url … --secret-file …

Exit codes: 0 delivered, 1 the receiver failed, 75 no dispatcher has sent it yet.

Examples:
  sluice trigger lead.created
  sluice trigger conversation.opened --subscription sub_… --json`;

/** sluice trigger */
export function addTrigger(parent: Command, context: Context): void {
  const command = parent
    .command('trigger')
    .description('send a made-up message of an event kind, and print what the receiver answered')
    .addArgument(kindArgument())
    .option('--subscription <id>', 'the webhook subscription')
    .addHelpText('after', HELP);

  onApi<Options>(context, command, async ({ callApi, output, options }, kind = '') => {
    if (ACTION_KINDS.some((action) => action === kind))
      throw wrongUsage(
        `${kind} is an action of a source. Send it signed: sluice send ${kind} --url … --secret-file …`,
      );
    const wanted = parseOptions(testInput, { event: kind }, { event: '<kind>' });
    const id = options.subscription ?? (await findReceiver(callApi));
    const path = `api/public/webhooks/${encodeURIComponent(id)}/test`;
    const { body } = await callApi({ method: 'POST', path, body: wanted, timeoutMs: TEST_MS });
    const result = body as TestResult;
    const { status, detail } = result;
    if (status === 'waiting') throw tryAgainLater(detail);
    output.record(testRow(id, result));
    if (status === 'failed') throw failed(detail);
  });
}

/** The choices are for help and completion. The command itself checks them, to name sluice send for an action. */
function kindArgument(): Argument {
  const argument = new Argument('<kind>', 'event kind of the message');
  argument.argChoices = [...TEST_KINDS];
  return argument;
}

/** The API waits 17 s for the attempt. Milliseconds. */
const TEST_MS = 22_000;

/** The newest stream of the key, or its only subscription. */
async function findReceiver(callApi: CallApi): Promise<string> {
  const { body } = await callApi({ method: 'GET', path: 'api/public/webhooks?limit=200' });
  const { data } = body as { readonly data: readonly SubscriptionRecord[] };
  const stream = data.find(({ client }) => client?.platform === 'sluice listen');
  if (stream !== undefined) return stream.id;
  const [first, ...others] = data;
  if (first === undefined)
    throw failed(
      'This API key has no webhook subscription. Start: sluice listen --forward-to http://localhost:3000/hook',
    );
  if (others.length > 0)
    throw wrongUsage(
      `This API key has several webhook subscriptions. Pass --subscription: ${data.map(({ id }) => id).join(', ')}`,
    );
  return first.id;
}
