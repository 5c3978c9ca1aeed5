import { PRESETS } from '@sluice/signature/presets/presets';
import { sampleBody } from '@sluice/signature/presets/samples';
import { describeSecretFault } from '@sluice/signature/sender/sender-key';
import type { Command } from 'commander';
import type { CommonOptions, Context } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { type PresetOption, presetOption, refusedSecret } from '../option-types.ts';
import { readFileOption } from '../read-file-option.ts';
import { exitCodeOf, printResponse } from '../send/print-response.ts';
import { addEventOptions, readBody } from '../send/read-body.ts';
import { readPastedSecret, readSecret } from '../send/read-secret.ts';
import { sendSigned } from '../send/send-signed.ts';

const EXAMPLES = `
Examples:
  sluice send upsert --url https://events.example.com/api/v1/events/webhook/src_… --secret-file secret.txt \\
    --title "Open day" --starts-at 2026-12-01T18:00:00+01:00 --location Berlin
  sluice send --preset calendly --url … --secret-file secret.txt    a made-up booking, as Calendly sends it
  sluice send upsert --preset stripe --url … --secret-file secret.txt --title "Open day" --starts-at 2026-12-01T18:00Z
  sluice send delete --url … --secret-file - --title "Open day" --starts-at 2026-12-01T17:00Z < secret.txt

Exit codes: 0 accepted, 1 rejected, 2 wrong usage (nothing was sent), 75 try again later. With 75, the request may or may
not have been accepted. A repetition with the same --timestamp within five minutes has one effect.`;

interface Options extends CommonOptions {
  readonly url: string;
  readonly secretFile: string;
  readonly bodyFile?: string;
  readonly timestamp?: string;
  readonly preset?: PresetOption;
}

/** A body of the platform, if no action is named. */
function sampleOf(action: string | undefined, { preset }: Options, nowMs: number): Buffer | undefined {
  const sample = action === undefined && preset !== undefined ? sampleBody(preset, nowMs) : undefined;
  return sample && Buffer.from(JSON.stringify(sample));
}

/** sluice send */
export function addSend(parent: Command, context: Context): void {
  const command = parent
    .command('send')
    .description('sign an action and send it to a source, like a sender')
    .argument('[action]', 'upsert, cancel or delete')
    .requiredOption('--url <url>', "the source's endpoint URL")
    .requiredOption('--secret-file <file>', 'file with the signing secret; - reads standard input')
    .addOption(refusedSecret());
  addEventOptions(command);
  command
    .option(
      '--body-file <file>',
      'send the exact bytes of this file, unchecked, instead of an action; - reads standard input',
    )
    .option('--timestamp <seconds>', 'sign with this Unix time (default: now)')
    .addOption(presetOption('sign like this sender (docs/senders.md)'))
    .option('--json', 'status and body as one JSON object')
    .addHelpText('after', EXAMPLES);

  command.action(async (action: string | undefined) => {
    const options = command.opts<Options>();
    if (options.secretFile === '-' && options.bodyFile === '-') {
      throw wrongUsage('Only one of --secret-file and --body-file can be read from standard input.');
    }
    // Checked before the secret is read, so that errors in the action are reported first.
    const body =
      options.bodyFile === undefined
        ? (sampleOf(action, options, context.now()) ?? readBody(action, options))
        : await readFileOption(context.streams, '--body-file', options.bodyFile);
    const profile = options.preset && PRESETS[options.preset].verify;
    const secret =
      profile === undefined
        ? await readSecret(context.streams, options.secretFile)
        : await readPastedSecret(context.streams, options.secretFile);
    const fault = profile && describeSecretFault(profile, secret);
    if (fault) throw wrongUsage(`--secret-file: ${fault} Nothing was sent.`);
    const timestamp = options.timestamp ?? String(Math.floor(context.now() / 1000));
    const response = await sendSigned({ url: options.url, secret, timestamp, body, profile });
    printResponse(context.streams, response, options.json === true);
    context.exitWith(exitCodeOf(response.status));
  });
}
