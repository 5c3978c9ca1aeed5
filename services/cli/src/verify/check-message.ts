import {
  checkMessageSignature,
  describeMessageAge,
  describeMessageSignatureForm,
  describeMessageSlip,
} from '@sluice/signature/standard-webhooks';
import { type Check, checked } from './check.ts';
import type { ReceivedRequest } from './check-request.ts';

const OTHER =
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
  const fault = matches ? null : (describeMessageSlip(secret, signature, message) ?? OTHER);
  return [
    checked('signature form', form, 'v1, and the base64 of a SHA-256'),
    checked('timestamp', describeMessageAge(timestamp, now), 'at most 300 seconds from the clock'),
    checked('signature', form ?? fault, 'it matches this body, id, timestamp and secret'),
  ];
}
