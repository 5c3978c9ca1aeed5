import { type Refusal, refuse } from '../http/result.ts';
import type { PublicMethod } from './declare-route.ts';

/** The method and headers of a request decide how it can be repeated. */
export interface SentAs {
  readonly method: PublicMethod;
  readonly hasIdempotencyKey: boolean;
  readonly hasIfMatch: boolean;
}

/** The 503 of a request whose time budget is spent. It says how to repeat this request without a second effect. */
export function lateRefusal(sent: SentAs): Refusal {
  return refuse('unavailable', `The stores did not respond in time. ${nextStep(sent)}`, {
    retryAfterSeconds: 2,
    reason: 'stores_late',
  });
}

const UNKNOWN = 'The change may or may not have taken effect.';

function nextStep({ method, hasIdempotencyKey, hasIfMatch }: SentAs): string {
  switch (method) {
    case 'GET':
      return 'Send the request again.';
    case 'POST':
      return hasIdempotencyKey
        ? `${UNKNOWN} Send the request again with the same Idempotency-Key.`
        : `${UNKNOWN} Check it before you send the request again: without an Idempotency-Key it may take effect twice.`;
    case 'PATCH':
      return hasIfMatch
        ? `${UNKNOWN} Read the record. If the change is missing, send the request again with the new ETag.`
        : `${UNKNOWN} Send the request again.`;
    case 'DELETE':
      return `${UNKNOWN} Send the request again.`;
  }
}
