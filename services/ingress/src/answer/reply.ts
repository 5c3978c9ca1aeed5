import type { RateState } from '@sluice/admission/verdict';
import type { ActionResult } from '@sluice/contract/delivery/action-result';
import { PROBLEMS } from '@sluice/contract/problem/problem';
import type { Refusal, Unapplied } from './refusal.ts';

/** The content of a response. */
export type Reply =
  | {
      readonly kind: 'accepted';
      readonly deliveryId: string;
      readonly duplicate: boolean;
      /** Absent: all fields of the event are read. */
      readonly unread?: UnreadFields;
      /** The result, if the sender has waited for it. */
      readonly result?: AppliedResult;
      readonly rate: RateHeaders;
      /** How long the response waited for workers, which is not the ingress's own time. Milliseconds. */
      readonly waitedMs?: number;
    }
  /** Signed by another sender, and for no event. */
  | {
      readonly kind: 'unapplied';
      readonly deliveryId: string;
      readonly unapplied: Unapplied;
      readonly rate: RateHeaders;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly rate?: RateHeaders };

/** The fields of the event that are not read. `hasIds`: the source uses `external_id` and `replaces`. */
export interface UnreadFields {
  readonly fields: readonly string[];
  readonly hasIds: boolean;
}

export interface AppliedResult extends Pick<ActionResult, 'outcome' | 'event_id' | 'conversation_id'> {
  /** The wait that was asked for, as it counts. Seconds. */
  readonly waitSeconds: number;
}

/** The source's rate and the remaining requests. Every response to a signed request has them. */
export interface RateHeaders {
  readonly state: RateState;
  readonly perSecond: number;
  readonly burst: number;
}

/** The code of a reply in metrics, log and traces (`ok`, `duplicate`, that of an unapplied or a problem), and its HTTP status. */
export function codeOf(reply: Reply): { readonly code: string; readonly status: number } {
  switch (reply.kind) {
    case 'accepted':
      return { code: reply.duplicate ? 'duplicate' : 'ok', status: 200 };
    case 'unapplied':
      return { code: reply.unapplied.code, status: 200 };
    case 'refused':
      return { code: reply.refusal.code, status: PROBLEMS[reply.refusal.code].status };
  }
}

/** Writes a response, once. The payload is JSON, and the headers have its length. A closed connection is ignored. */
export type Send = (status: number, headers: AnswerHeaders, payload: string) => void;

/** Only numbers and fixed texts: no header has a text from the sender. */
export type AnswerHeaders = Record<string, string | number>;
