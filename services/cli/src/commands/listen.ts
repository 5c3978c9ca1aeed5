import { hostname } from 'node:os';
import { type StreamedMessage, streamInput } from '@sluice/contract/subscription/webhook-stream';
import { withoutUnseen } from '@sluice/runtime/telemetry/printable';
import type { Command } from 'commander';
import type { ApiOptions } from '../api/api-access.ts';
import { onApi } from '../api/on-api.ts';
import type { CommonOptions, Context } from '../context.ts';
import { createForward, type Forwarded, readForwardUrl } from '../listen/forward.ts';
import { listen } from '../listen/listen.ts';
import { positiveInteger } from '../option-types.ts';
import { colourOf, createPaint, type Output, type Paint } from '../output.ts';
import { parseOptions } from '../parse-options.ts';
import { type EventOptions, eventFilter, eventsOption } from '../webhooks/event-filter.ts';

interface Options extends CommonOptions, ApiOptions, EventOptions {
  readonly forwardTo: string;
  readonly limit?: number;
}

const HELP = `
Needs an API key with the scope webhooks. Each message is forwarded once, byte for byte, with its Standard Webhooks headers.
The subscription ends with this command. The secret stays the same for all runs with one API key.

Examples:
  export SLUICE_URL=https://sluice.example.com SLUICE_API_KEY=slc_live_…
  sluice listen --forward-to http://localhost:3000/hook
  sluice listen --forward-to 3000 --events lead.created,lead.updated --json | jq .status`;

/** sluice listen */
export function addListen(parent: Command, context: Context): void {
  const command = parent
    .command('listen')
    .description('forward live messages to a receiver on this machine')
    .requiredOption('--forward-to <url>', 'the receiver: a URL, host:port/path, or a port')
    .addOption(eventsOption(' (default: all)'))
    .option('--source <id>', 'only events of this source')
    .option('--channel <id>', 'only conversations of this channel')
    .option('--stage <id>', 'only leads in this pipeline stage')
    .option('--limit <n>', 'end after N messages', positiveInteger)
    .addHelpText('after', HELP);

  onApi<Options>(context, command, async ({ access, callApi, output, options }) => {
    const url = readForwardUrl(options.forwardTo);
    const wanted = { ...eventFilter(options), host: hostname().slice(0, 50) };
    parseOptions(streamInput, wanted);
    const stop = stopSignal();
    const paint = createPaint(context.streams.stdout);
    const { limit = Number.POSITIVE_INFINITY } = options;
    let left = limit;
    await listen(
      { access, callApi, forward: createForward(url), limit, wanted, signal: stop.signal },
      {
        onReady({ id, secret }, again) {
          if (options.json) output.line({ event: 'ready', subscription_id: id, secret, again }, []);
          else if (again) output.note('Connected again. Messages of the time between are not forwarded.');
          else output.note(`Ready! Your signing secret is ${secret} (Ctrl C to quit)`);
        },
        onForwarded(message, forwarded) {
          printForwarded(output, { message, forwarded, paint, json: options.json === true });
          left -= 1;
          if (left === 0 || !output.isRead()) stop.abort();
        },
        onMissed(count) {
          if (options.json) output.line({ event: 'missed', count }, []);
          else output.note(`${count} messages were not forwarded, because too many waited.`);
        },
        onInterrupted: (why) => output.note(`No connection to ${access.url.origin}: ${why}. Trying again.`),
      },
    );
  });
}

/** Aborted by Ctrl C and by a polite kill. A second Ctrl C ends the process at once. */
function stopSignal(): AbortController {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  return stop;
}

interface Shown {
  readonly message: StreamedMessage;
  readonly forwarded: Forwarded;
  readonly paint: Paint;
  readonly json: boolean;
}

function printForwarded(output: Output, { message, forwarded, paint, json }: Shown): void {
  const { status, duration_ms, error } = forwarded;
  const messageId = message.headers['webhook-id'] ?? '';
  const type = typeOf(message.body);
  const row = { event: 'message', message_id: messageId, type, ...forwarded };
  if (json) {
    output.line(row, []);
    return;
  }
  const time = paint('dim', new Date().toTimeString().slice(0, 8));
  const answer = paint(colourOf(status), withoutUnseen(String(status ?? error)));
  output.text(`${time}  ${answer}  ${type}  ${duration_ms} ms  ${paint('dim', messageId)}`);
}

function typeOf(body: string): string {
  const { type } = JSON.parse(body) as { type?: unknown };
  return withoutUnseen(String(type));
}
