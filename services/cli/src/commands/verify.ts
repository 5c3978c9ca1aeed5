import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { instant } from '../option-types.ts';
import { createOutput } from '../output.ts';
import { colourOf, createPaint } from '../paint.ts';
import { checkMessage } from '../verify/check-message.ts';
import { checkRequest } from '../verify/check-request.ts';
import { addSignedOptions, readSigned, type SignedOptions } from '../verify/signed-options.ts';

interface Options extends SignedOptions {
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
    const options = command.opts<Options>();
    const { id, timestamp, signature, at, json } = options;
    const { secret, body } = await readSigned(options);
    const request = { secret, timestamp, signature, body, now: at ?? context.now() };
    const checks = id === undefined ? checkRequest(request) : checkMessage({ ...request, messageId: id });
    const output = createOutput(context.streams, { json: json === true });
    const paint = createPaint(process.stdout);
    for (const one of checks) {
      if (json) output.line({ ...one }, []);
      else {
        const colour = colourOf(one.result === 'ok' ? 200 : null);
        output.text(`${paint(colour, one.result.padEnd(7))}  ${one.check.padEnd(14)}  ${one.detail}`);
      }
    }
    if (checks.some(({ result }) => result === 'problem')) process.exitCode = EXIT.failed;
  });
}
