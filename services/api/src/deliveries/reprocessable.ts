import type { Action } from '@sluice/contract/action';
import type { Delivery } from '@sluice/contract/delivery';
import { parseAcceptedText, parseActionText } from '@sluice/contract/parse-action';
import type { NOT_REPROCESSABLE } from '@sluice/dashboard-api/deliveries';
import { originOf } from './describe-delivery.ts';

export type NotReprocessable = (typeof NOT_REPROCESSABLE)[number];

/** Codes of refusals before or at the check of the signature: nothing of such a body is believed, ever. */
const UNVERIFIED = new Set<string>([
  'method_not_allowed',
  'unsupported_media_type',
  'payload_too_large',
  'signature_missing',
  'timestamp_invalid',
  'timestamp_expired',
  'signature_invalid',
  'too_many_bad_signatures',
]);

/** Did the signature hold, as far as the log says? */
export function wasVerified({ code }: Delivery): boolean {
  return code === null || !UNVERIFIED.has(code);
}

/** An import or an admin made it. What was done again from a kept body has the request that came first. */
export function madeByNoRequest(row: Delivery): boolean {
  return row.request === undefined && originOf(row) !== 'webhook';
}

export type Readable =
  | { readonly status: 'action'; readonly action: Action }
  | { readonly status: 'not_reprocessable'; readonly why: NotReprocessable };

/** The action that a kept body holds, or why there is none to repeat. */
export function readKeptAction(row: Delivery): Readable {
  if (row.count > 1) return { status: 'not_reprocessable', why: 'counted' };
  if (!wasVerified(row)) return { status: 'not_reprocessable', why: 'not_verified' };
  if (madeByNoRequest(row)) return { status: 'not_reprocessable', why: 'no_request' };
  if (typeof row.request?.body !== 'string') return { status: 'not_reprocessable', why: 'no_body' };
  const { body } = row.request;
  const parsed = row.code === null ? parseAcceptedText(body) : parseActionText(body);
  if (parsed.outcome !== 'valid') return { status: 'not_reprocessable', why: 'not_an_action' };
  return { status: 'action', action: parsed.action };
}
