import { SIGNATURE_HEADER, signBody, TIMESTAMP_HEADER } from '@sluice/signature/sign';
import { messageKey, signMessage } from '@sluice/signature/standard-webhooks';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, wrongUsage } from '../exit-codes.ts';
import { instant, type PresetOption, presetOption } from '../option-types.ts';
import { colourOf, createOutput, createPaint } from '../output.ts';
import { checkSender } from '../verify/check-sender.ts';
import {
  addSignedOptions,
  type Check,
  checkMessage,
  checkRequest,
  readSent,
  readSigned,
  type SignedOptions,
} from '../verify/check-signed.ts';

interface VerifyOptions extends SignedOptions {
  readonly timestamp?: string;
  readonly signature?: string;
  readonly preset?: PresetOption;
  readonly header?: readonly string[];
  readonly at?: number;
}

const HELP = `
Works offline. Without --id it checks a request to a source (X-Service-Timestamp, X-Service-Signature). With --id it checks a
message of a webhook subscription (webhook-id, webhook-timestamp, webhook-signature). With --preset it checks a request of another
sender by all its headers.

Exit codes: 0 all checks passed, 1 a check failed, 2 wrong usage.

Examples:
  sluice verify --timestamp 1796144400 --signature sha256=9f0c… --secret-file secret.txt < body.json
  sluice verify --id msg_… --timestamp 1796144400 --signature v1,K5oZ… --secret-file secret.txt < body.json
  sluice verify --preset github --header "X-Hub-Signature-256: sha256=9f0c…" --secret-file secret.txt < body.json`;

/** sluice verify */
export function addVerify(parent: Command, context: Context): void {
  const command = addSignedOptions(
    parent
      .command('verify')
      .description('check the signature of a request, and say which check fails and why')
      .option('--timestamp <seconds>', 'the timestamp header')
      .option('--signature <signature>', 'the signature header'),
  )
    .addOption(presetOption('check a request of this sender (docs/senders.md), with --header'))
    .option(
      '--header <line>',
      'a header of the request, such as "Stripe-Signature: t=…"; repeatable',
      collected,
    )
    .option('--at <datetime>', 'check the age at this time (default: now)', instant)
    .option('--json', 'print one JSON object for each check')
    .addHelpText('after', HELP);

  command.action(async () => {
    const options = command.opts<VerifyOptions>();
    const checks = await checksOf(context, options);
    const { json } = options;
    const output = createOutput(context.streams, { json: json === true });
    const paint = createPaint(context.streams.stdout);
    for (const one of checks) {
      if (json) output.line({ ...one }, []);
      else {
        const colour = colourOf(one.result === 'ok' ? 200 : null);
        output.text(`${paint(colour, one.result.padEnd(7))}  ${one.check.padEnd(14)}  ${one.detail}`);
      }
    }
    if (checks.some(({ result }) => result === 'problem')) context.exitWith(EXIT.failed);
  });
}

async function checksOf(context: Context, options: VerifyOptions): Promise<readonly Check[]> {
  const { id, timestamp, signature, preset, header = [], at } = options;
  const now = at ?? context.now();
  if (preset !== undefined)
    return [checkSender(preset, header, await readSent(context.streams, options), now)];
  if (timestamp === undefined || signature === undefined)
    throw wrongUsage('Pass --timestamp and --signature, or --preset and --header.');
  const { secret, body } = await readSigned(context.streams, options);
  const request = { secret, timestamp, signature, body, now };
  return id === undefined ? checkRequest(request) : checkMessage({ ...request, messageId: id });
}

const collected = (line: string, before: readonly string[] = []): readonly string[] => [...before, line];

interface SignOptions extends SignedOptions {
  readonly timestamp?: string;
}

const SIGN_HELP = `
Works offline. Prints the headers of a request to a source. With --id it prints those of a message of a webhook subscription.

Examples:
  sluice sign --secret-file secret.txt < body.json > headers.txt
  curl -H @headers.txt -H 'Content-Type: application/json' --data-binary @body.json https://…/src_…
  sluice sign --id msg_1 --secret-file secret.txt --body-file body.json`;

/** sluice sign */
export function addSign(parent: Command, context: Context): void {
  const command = addSignedOptions(
    parent.command('sign').description('print the headers that sign a body, without sending it'),
  )
    .option('--timestamp <seconds>', 'sign with this Unix time (default: now)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', SIGN_HELP);

  command.action(async () => {
    const options = command.opts<SignOptions>();
    const { id, timestamp = String(Math.floor(context.now() / 1000)), json } = options;
    if (!/^\d+$/.test(timestamp))
      throw wrongUsage(`--timestamp: ${timestamp} is not a Unix time in seconds.`);
    const { secret, body } = await readSigned(context.streams, options);
    const headers =
      id === undefined
        ? { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signBody({ secret, timestamp, body }) }
        : {
            'webhook-id': id,
            'webhook-timestamp': timestamp,
            'webhook-signature': signMessage(messageKey(secret), { messageId: id, timestamp, body }),
          };
    const output = createOutput(context.streams, { json: json === true });
    if (json) return output.line(headers, []);
    for (const [name, value] of Object.entries(headers)) output.text(`${name}: ${value}`);
  });
}
