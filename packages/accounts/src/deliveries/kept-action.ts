import { parseConversationText } from '@sluice/contract/conversation/parse-conversation';
import type { Delivery, KeptRequest, MappedBy } from '@sluice/contract/delivery/delivery';
import type { AnyAction } from '@sluice/contract/delivery/groups';
import { parseActionText } from '@sluice/contract/event/parse-action';
import { type Mapper, mapText, storedHeaders } from '@sluice/signature/mapping/mapper';

/** Why a delivery cannot be reprocessed. */
export type NotReprocessable = 'not_verified' | 'no_request' | 'no_body' | 'not_an_action' | 'counted';

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
  return row.request === undefined && (row.origin ?? 'webhook') !== 'webhook';
}

export type Readable =
  /** `mapped`: a mapping has made the action. */
  | { readonly status: 'action'; readonly action: AnyAction; readonly mapped?: MappedBy }
  | { readonly status: 'not_reprocessable'; readonly why: NotReprocessable };

/**
 * Parses the stored body into its action, or returns why it cannot be reprocessed. `mapper`: the current mapping of the source, for
 * bodies that are no actions. Absent: such bodies cannot be read.
 */
export function readKeptAction(row: Delivery, mapper?: Mapper): Readable {
  if (row.count > 1) return { status: 'not_reprocessable', why: 'counted' };
  if (!wasVerified(row)) return { status: 'not_reprocessable', why: 'not_verified' };
  if (madeByNoRequest(row)) return { status: 'not_reprocessable', why: 'no_request' };
  if (typeof row.request?.body !== 'string') return { status: 'not_reprocessable', why: 'no_body' };
  // A body that a mapping has read before is no action, even if it looks like one.
  const isForeign = row.mapped !== undefined || row.unapplied !== undefined;
  const parsed = isForeign ? undefined : parseBody(row, row.request.body);
  if (parsed?.outcome === 'valid') return { status: 'action', action: parsed.action };
  return (mapper && readMapped(mapper, row.request, row.request.body)) ?? NOT_AN_ACTION;
}

/**
 * The action that an applied delivery was, from its stored body. Undefined: it was not stored, or a mapping made it that the source
 * does not have any more.
 */
export function readAppliedAction(row: Delivery, mapper: Mapper | undefined): AnyAction | undefined {
  const kept = readKeptAction(row, mapper);
  return kept.status === 'action' && isSameMapping(kept.mapped, row.mapped) ? kept.action : undefined;
}

function isSameMapping(now: MappedBy | undefined, then: MappedBy | undefined): boolean {
  return now?.preset === then?.preset && now?.version === then?.version && now?.rule === then?.rule;
}

const NOT_AN_ACTION: Readable = { status: 'not_reprocessable', why: 'not_an_action' };

/** Nearly all headers of a stored request are gone, so conditions on them are not met. */
function readMapped(mapper: Mapper, request: KeptRequest, body: string): Readable | undefined {
  const { result, mapped } = mapText(mapper, body, storedHeaders(request));
  return result.outcome === 'action' ? { status: 'action', action: result.action, mapped } : undefined;
}

/** The sources of conversations have ids with this prefix. A rejected row names nothing else of its kind. */
const CHANNEL_PREFIX = 'chn_';

/** A row has an `external_id` only if it was read from its body. */
function parseBody({ source_id, external_id }: Delivery, body: string) {
  return source_id.startsWith(CHANNEL_PREFIX)
    ? parseConversationText(body)
    : parseActionText(body, external_id !== undefined);
}
