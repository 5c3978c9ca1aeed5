import { UNAPPLIED } from '@sluice/contract/delivery/delivery';
import { READABLE_VERSIONS, type RefusedRequest } from '@sluice/contract/delivery/groups';
import { PROBLEMS } from '@sluice/contract/problem/problem';
import { type GroupHead, letterIdOf, readHead } from './group-head.ts';
import { fieldsOf, isDeliveryAction, isId, isInstant, isText, isTextOrNull } from './untrusted-fields.ts';

/** A readable refusal that can be logged, or an unreadable one. */
export type TakenRefusal =
  | { readonly status: 'readable'; readonly refusal: RefusedRequest }
  | { readonly status: 'unreadable'; readonly raw: unknown; readonly letterId: string };

/** The content of a job of the queue `refusals`. */
export interface TakenRefusals extends GroupHead {
  readonly members: readonly TakenRefusal[];
}

/** Reads the payload of a job member by member, so that an unreadable one doesn't affect the others. Never throws. */
export function readRefusals(payload: unknown, jobId: string): TakenRefusals {
  const { v, refusals } = fieldsOf(payload);
  const head = readHead(payload, jobId);
  const list: readonly unknown[] = Array.isArray(refusals) ? refusals : [payload];
  const members = list.map((raw, index): TakenRefusal => {
    if (READABLE_VERSIONS.includes(v) && isRefusal(raw)) return { status: 'readable', refusal: raw };
    return { status: 'unreadable', raw, letterId: letterIdOf(head, raw, index) };
  });
  return { ...head, members };
}

function isRefusal(raw: unknown): raw is RefusedRequest {
  const refusal = fieldsOf(raw);
  const { delivery_id, request_id, source_id, account_id, received_at, action, title, reason } = refusal;
  const ids = [delivery_id, request_id, source_id, account_id].every(isId);
  const about = (action === null || isDeliveryAction(action)) && isTextOrNull(title);
  return ids && about && isInstant(received_at) && isKnown(refusal) && isText(reason);
}

function isKnown({ code, unapplied }: Readonly<Record<string, unknown>>): boolean {
  if (code !== null) return isText(code) && Object.hasOwn(PROBLEMS, code);
  return isText(unapplied) && Object.hasOwn(UNAPPLIED, unapplied);
}
