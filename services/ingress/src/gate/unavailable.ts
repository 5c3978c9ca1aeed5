import { REFUSALS } from '../answer/refusal.ts';
import type { Reply } from '../answer/reply.ts';
import type { ClosedReason } from './gate.ts';

/** Why a request was answered 503, for the log: a closed gate, or what else had no room or no answer in time. */
export type UnavailableReason =
  | ClosedReason
  | 'backlog_full'
  | 'bodies_coming_in'
  | 'bodies_waiting'
  | 'source_lookup'
  | 'not_stored';

type Refused = Extract<Reply, { readonly kind: 'refused' }>;

/** Senders get the same answer for every reason. */
interface UnavailableReply extends Refused {
  readonly reason: UnavailableReason;
}

/** 503: the sender may send the same request again. */
export function unavailable(reason: UnavailableReason): UnavailableReply {
  return { kind: 'refused', refusal: REFUSALS.unavailable, reason };
}

/** Why a reply is 503; undefined for every other one. */
export function reasonOfUnavailable(reply: Reply): UnavailableReason | undefined {
  if (reply.kind !== 'refused') return undefined;
  if (reply.refusal === REFUSALS.backlog_full) return 'backlog_full';
  return (reply as Partial<UnavailableReply>).reason;
}
