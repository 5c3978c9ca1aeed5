import { randomBytes } from 'node:crypto';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import type { Source } from '@sluice/store/sources/source';

/** A new signing secret in the form that the sender of the source can use: its libraries may expect base64. */
export function newSecretFor({ sender }: Pick<Source, 'sender'>): string {
  const key = sender?.verify.kind === 'hmac' ? sender.verify.key : undefined;
  if (key === undefined || key.encoding === 'text') return newSigningSecret();
  return (key.strip ?? '') + randomBytes(32).toString(key.encoding);
}
