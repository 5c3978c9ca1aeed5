import { describeSlip } from '@sluice/signature/likely-slip';
import { describeSignatureForm } from '@sluice/signature/signature-form';
import {
  checkMessageSignature,
  describeMessageAge,
  describeMessageSignatureForm,
  describeMessageSlip,
} from '@sluice/signature/standard-webhooks';
import { checkHeaders, checkSignature, verifyingKey } from '@sluice/signature/verify';
import type { Command } from 'commander';
import type { Streams } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { refusedSecret } from '../option-types.ts';
import { readFileOption } from '../read-file-option.ts';
import { readPastedSecret, readSecret } from '../send/read-secret.ts';

export interface ReceivedRequest {
  readonly secret: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Uint8Array;
  /** The time of the check. Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The checks of a request to a source, as the ingress makes them. All run, so that each fault is named. */
export function checkRequest(request: ReceivedRequest): readonly Check[] {
  const { signature, timestamp, now } = request;
  const form = describeSignatureForm(signature);
  const headers = checkHeaders({ signature: 'present', timestamp }, now);
  const timestampFault = 'detail' in headers ? headers.detail : null;
  return [
    checked('signature form', form, 'sha256= and 64 hex digits in lower case'),
    checked('timestamp', timestampFault, 'at most 300 seconds from the clock'),
    checked('signature', form ?? signatureFault(request), 'it matches this body, timestamp and secret'),
  ];
}

const OTHER =
  'It does not match this body, timestamp and secret. Compare the secret with the one of the source, and the body byte for byte.';

function signatureFault({ secret, timestamp, signature, body }: ReceivedRequest): string | null {
  const key = verifyingKey(secret);
  if (checkSignature(key, timestamp, body, signature)) return null;
  return describeSlip({ key, timestamp, body, signature }) ?? OTHER;
}

const OTHER_MESSAGE =
  'No signature matches this body, id, timestamp and secret. Compare the secret with the one of the subscription, and the body byte for byte.';

/** The checks of a message of a webhook subscription (Standard Webhooks). All run, so that each fault is named. */
export function checkMessage({
  messageId,
  ...request
}: ReceivedRequest & { readonly messageId: string }): readonly Check[] {
  const { secret, signature, timestamp, body, now } = request;
  const form = describeMessageSignatureForm(signature);
  const message = { messageId, timestamp, body };
  const matches = checkMessageSignature(secret, signature, message);
  const fault = matches ? null : (describeMessageSlip(secret, signature, message) ?? OTHER_MESSAGE);
  return [
    checked('signature form', form, 'v1, and the base64 of a SHA-256'),
    checked('timestamp', describeMessageAge(timestamp, now), 'at most 300 seconds from the clock'),
    checked('signature', form ?? fault, 'it matches this body, id, timestamp and secret'),
  ];
}

/** The result of one check of a signed request. */
export interface Check {
  readonly check: 'signature form' | 'timestamp' | 'signature';
  readonly result: 'ok' | 'problem';
  /** The right value; or the fault, and what to do. */
  readonly detail: string;
}

/** A check that passed with `right`, unless there is a fault. */
export function checked(check: Check['check'], fault: string | null, right: string): Check {
  return fault === null
    ? { check, result: 'ok', detail: right }
    : { check, result: 'problem', detail: fault };
}

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

/** The same for a request of another sender, whose secrets have no form of their own. */
export async function readSent(
  streams: Streams,
  { secretFile, bodyFile = '-' }: SignedOptions,
): Promise<{ readonly secret: string; readonly body: Buffer }> {
  expectOneStdin(secretFile, bodyFile);
  const secret = await readPastedSecret(streams, secretFile);
  return { secret, body: await readFileOption(streams, '--body-file', bodyFile) };
}

function expectOneStdin(secretFile: string, bodyFile: string): void {
  if (secretFile === '-' && bodyFile === '-')
    throw wrongUsage('Only one of secret and body can be read from standard input. Pass --body-file FILE.');
}

/** Reads the secret and the exact bytes of the body. Fails with exit code 2 if one cannot be read. */
export async function readSigned(
  streams: Streams,
  { secretFile, bodyFile = '-', id }: SignedOptions,
): Promise<{ readonly secret: string; readonly body: Buffer }> {
  expectOneStdin(secretFile, bodyFile);
  const secret = await readSecret(streams, secretFile, id === undefined ? 'source' : 'subscription');
  return { secret, body: await readFileOption(streams, '--body-file', bodyFile) };
}
