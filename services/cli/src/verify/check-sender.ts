import { PRESETS, type PresetName } from '@sluice/signature/presets/presets';
import { compileVerifier } from '@sluice/signature/sender/compile-verifier';
import { describeSecretFault, senderKey } from '@sluice/signature/sender/sender-key';
import { wrongUsage } from '../exit-codes.ts';
import { type Check, checked } from './check-signed.ts';

/** Checks a request of another sender as the ingress does. `lines`: its headers, such as "X-Signature: 9f0c". */
export function checkSender(
  preset: PresetName,
  lines: readonly string[],
  { secret, body }: { readonly secret: string; readonly body: Uint8Array },
  nowMs: number,
): Check {
  const profile = PRESETS[preset].verify;
  const fault = describeSecretFault(profile, secret);
  if (fault !== null) throw wrongUsage(`--secret-file: ${fault} Nothing was checked.`);
  const names = lines.map(nameOf);
  const values = Object.fromEntries(
    lines.map((line, i) => [names[i], line.slice(line.indexOf(':') + 1).trim()]),
  );
  const isRepeated = (name: string) => names.filter((one) => one === name).length > 1;
  const verdict = compileVerifier(profile)({ values, isRepeated }, body, senderKey(profile, secret), nowMs);
  const found = verdict.outcome === 'verified' ? null : verdict.detail;
  return checked('signature', found, 'it matches this body and secret, and its time is near the clock');
}

function nameOf(line: string): string {
  const colon = line.indexOf(':');
  if (colon < 1) throw wrongUsage('--header: Send a name, a colon and a value.');
  return line.slice(0, colon).trim().toLowerCase();
}
