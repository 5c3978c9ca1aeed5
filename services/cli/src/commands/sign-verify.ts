import { SIGNATURE_HEADER, signBody, TIMESTAMP_HEADER } from '@sluice/signature/sign';
import { messageKey, signMessage } from '@sluice/signature/standard-webhooks';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, wrongUsage } from '../exit-codes.ts';
import { instant } from '../option-types.ts';
import { colourOf, createOutput, createPaint } from '../output.ts';
import {
  addSignedOptions,
  checkMessage,
  checkRequest,
  readSigned,
  type SignedOptions,
} from '../verify/check-signed.ts';

interface VerifyOptions extends SignedOptions {
  readonly timestamp: string;
  readonly signature: string;
  readonly at?: number;
}

const HELP = `
Works offline. Without --id it checks a request to a source (X-Service-Timestamp, X-Service-Signature). With --id it checks a
message of a webhook subscription (webhook-id, webhook-timestamp, webhook-signature).

Exit codes: 0 all checks passed, 1 a check failed, 2 wrong usage.

Examples:
  sluice verify --timestamp 1796144400 --signature sha256=9f0c… --secret-file secret.txt < body.json
  sluice verify --id msg_… --timestamp 1796144400 --signature v1,K5oZ… --secret-file secret.txt < body.json`;

/** sluice verify */
export function addVerify(parent: Command, context: Context): void {
  const command = addSignedOptions(
    parent
      .command('verify')
      .description('check the signature of a request, and say which check fails and why')
      .requiredOption('--timestamp <seconds>', 'the timestamp header')
      .requiredOption('--signature <signature>', 'the signature header'),
  )
    .option('--at <datetime>', 'check the age at this time (default: now)', instant)
    .option('--json', 'print one JSON object for each check')
    .addHelpText('after', HELP);

  command.action(async () => {
    const options = command.opts<VerifyOptions>();
    const { id, timestamp, signature, at, json } = options;
    const { secret, body } = await readSigned(context.streams, options);
    const request = { secret, timestamp, signature, body, now: at ?? context.now() };
    const checks = id === undefined ? checkRequest(request) : checkMessage({ ...request, messageId: id });
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
