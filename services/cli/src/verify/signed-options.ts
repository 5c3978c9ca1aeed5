import type { Command } from 'commander';
import { wrongUsage } from '../exit-codes.ts';
import { refusedSecret } from '../option-types.ts';
import { readFileOption } from '../read-file-option.ts';
import { readSecret } from '../send/read-secret.ts';

export interface SignedOptions {
  readonly secretFile: string;
  readonly bodyFile?: string;
  readonly id?: string;
  readonly json?: true;
}

/** Adds the options of commands that sign and verify. */
export function addSignedOptions(command: Command): Command {
  return command
    .requiredOption('--secret-file <file>', 'file with the signing secret; - reads standard input')
    .addOption(refusedSecret())
    .option('--id <message>', 'webhook-id of a message of a webhook subscription (Standard Webhooks)')
    .option('--body-file <file>', 'file with the exact body (default: standard input)');
}

/** Reads the secret and the exact bytes of the body. Fails with exit code 2 if one cannot be read. */
export async function readSigned({
  secretFile,
  bodyFile = '-',
  id,
}: SignedOptions): Promise<{ readonly secret: string; readonly body: Buffer }> {
  if (secretFile === '-' && bodyFile === '-')
    throw wrongUsage('Only one of secret and body can be read from standard input. Pass --body-file FILE.');
  const secret = await readSecret(secretFile, id === undefined ? 'source' : 'subscription');
  return { secret, body: await readFileOption('--body-file', bodyFile) };
}
