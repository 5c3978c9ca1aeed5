import { describeSlip } from '@sluice/signature/likely-slip';
import { describeSignatureForm } from '@sluice/signature/signature-form';
import { checkHeaders, checkSignature, verifyingKey } from '@sluice/signature/verify';
import { type Check, checked } from './check.ts';

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
