import { SIGNATURE_HEADER, signBody, TIMESTAMP_HEADER } from '@sluice/signature/sign';
import { messageKey, signMessage } from '@sluice/signature/standard-webhooks';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { createOutput } from '../output.ts';
import { addSignedOptions, readSigned, type SignedOptions } from '../verify/signed-options.ts';

interface Options extends SignedOptions {
  readonly timestamp?: string;
}

const HELP = `
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
    .addHelpText('after', HELP);

  command.action(async () => {
    const options = command.opts<Options>();
    const { id, timestamp = String(Math.floor(context.now() / 1000)), json } = options;
    if (!/^\d+$/.test(timestamp))
      throw wrongUsage(`--timestamp: ${timestamp} is not a Unix time in seconds.`);
    const { secret, body } = await readSigned(options);
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
