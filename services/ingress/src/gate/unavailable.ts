import { REFUSALS } from '../answer/refusal.ts';
import type { Reply } from '../answer/reply.ts';
import type { ClosedReason } from './gate.ts';

/** Why a request got 503, for the log: a closed gate, missing room, or a missing response. */
export type UnavailableReason =
  | ClosedReason
  | 'backlog_full'
  | 'refusals_backlog'
  | 'bodies_coming_in'
  | 'bodies_waiting'
  | 'source_lookup'
  | 'not_stored';

type Refused = Extract<Reply, { readonly kind: 'refused' }>;

/** Senders get the same response for every reason. */
interface UnavailableReply extends Refused {
  readonly reason: UnavailableReason;
}

/** 503: the sender may retry the same request. */
export function unavailable(reason: UnavailableReason): UnavailableReply {
  return { kind: 'refused', refusal: REFUSALS.unavailable, reason };
}

/** The reason of a 503; undefined for other replies. */
export function reasonOfUnavailable(reply: Reply): UnavailableReason | undefined {
  if (reply.kind !== 'refused') return undefined;
  if (reply.refusal === REFUSALS.backlog_full) return 'backlog_full';
  return (reply as Partial<UnavailableReply>).reason;
}
