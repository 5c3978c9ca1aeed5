import { parseConversationText } from '@sluice/contract/conversation/parse-conversation';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import type { AnyAction } from '@sluice/contract/delivery/groups';
import { parseActionText } from '@sluice/contract/event/parse-action';
import type { NOT_REPROCESSABLE } from '@sluice/dashboard-api/deliveries';
import { originOf } from './describe-delivery.ts';

export type NotReprocessable = (typeof NOT_REPROCESSABLE)[number];

/** Codes of rejections up to and including the signature check. Such a body is never trusted. */
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

/** Whether the signature was valid, as far as the log shows. */
export function wasVerified({ code }: Delivery): boolean {
  return code === null || !UNVERIFIED.has(code);
}

/** Whether an import or an admin created it. A reprocessed delivery keeps the request of the original. */
export function madeByNoRequest(row: Delivery): boolean {
  return row.request === undefined && originOf(row) !== 'webhook';
}

export type Readable =
  | { readonly status: 'action'; readonly action: AnyAction }
  | { readonly status: 'not_reprocessable'; readonly why: NotReprocessable };

/** Parses the stored body into its action, or returns why it cannot be reprocessed. */
export function readKeptAction(row: Delivery): Readable {
  if (row.count > 1) return { status: 'not_reprocessable', why: 'counted' };
  if (!wasVerified(row)) return { status: 'not_reprocessable', why: 'not_verified' };
  if (madeByNoRequest(row)) return { status: 'not_reprocessable', why: 'no_request' };
  if (typeof row.request?.body !== 'string') return { status: 'not_reprocessable', why: 'no_body' };
  const parsed = parseBody(row, row.request.body);
  if (parsed.outcome !== 'valid') return { status: 'not_reprocessable', why: 'not_an_action' };
  return { status: 'action', action: parsed.action };
}

/** The sources of conversations have ids with this prefix. A rejected row names nothing else of its kind. */
const CHANNEL_PREFIX = 'chn_';

function parseBody({ source_id }: Delivery, body: string) {
  return source_id.startsWith(CHANNEL_PREFIX) ? parseConversationText(body) : parseActionText(body);
}
