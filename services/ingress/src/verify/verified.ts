import type { Ticket } from '@sluice/admission/ticket';
import { parseConversationText } from '@sluice/contract/conversation/parse-conversation';
import type { DeliveryAction, MappedBy, SignedWith } from '@sluice/contract/delivery/delivery';
import type { AnyAction } from '@sluice/contract/delivery/groups';
import { parseActionText } from '@sluice/contract/event/parse-action';
import { decodeBody } from '@sluice/contract/event/parse-bytes';
import { detailOfFields } from '@sluice/contract/problem/field-errors';
import { REFUSALS, type Refusal, type Unapplied } from '../answer/refusal.ts';
import type { Incoming } from '../receive/incoming.ts';
import type { KnownSource } from './known-source.ts';

/** A verified request, with its ticket for the admission. */
export type Verified =
  | {
      readonly outcome: 'action';
      readonly ticket: Ticket;
      readonly action: AnyAction;
      /** The decoded body, which the log stores too. */
      readonly text: string | undefined;
      /** Fields of the event that are not read. */
      readonly unread?: readonly string[] | undefined;
      readonly signedWith?: SignedWith | undefined;
      /** A mapping made the action, so the body does not have it. */
      readonly mapped?: MappedBy;
    }
  /** Signed by another sender, and for no event. It gets a 200. */
  | {
      readonly outcome: 'unapplied';
      readonly ticket: Ticket;
      readonly unapplied: Unapplied;
      readonly action: null;
      readonly title: null;
      readonly text: string | undefined;
      readonly mapped: MappedBy;
      readonly signedWith?: SignedWith | undefined;
    }
  | {
      readonly outcome: 'refused';
      readonly ticket: Ticket;
      readonly refusal: Refusal;
      /** The action for the delivery log; null if the body was not verified. */
      readonly action: DeliveryAction | null;
      readonly title: string | null;
      /** The decoded body, if the signature is valid and the body is UTF-8. */
      readonly text: string | undefined;
      readonly mapped?: MappedBy;
      readonly signedWith?: SignedWith | undefined;
    };

export interface VerifyInput {
  readonly source: KnownSource;
  readonly bytes: Uint8Array;
  readonly requestId: string;
  readonly http: Pick<Incoming, 'headers' | 'isRepeated'>;
  /** The client address for limits. */
  readonly address: () => string;
  readonly nowMs: number;
}

const WRONG_FIELDS = 'Correct the fields named in errors.';

/** Clocks differ, so an identical request is remembered this much longer than the window. */
export const REMEMBER_SLACK_SECONDS = 60;

/** A request that is rejected before its signature was checked. Its content is not trusted. */
export function unverified(refusal: Refusal): Verified {
  const ticket: Ticket = { kind: 'unverified', code: refusal.code };
  return { outcome: 'refused', ticket, refusal, action: null, title: null, text: undefined };
}

/**
 * The admission gets these requests too, even from an address over its limit. If the secret was rotated after the source was
 * cached, the signature may be right. Then the admission returns the request, and it is verified with the new secret.
 */
export function badlySigned({ address }: VerifyInput, wrong: Refusal, signedWith?: SignedWith): Verified {
  const refusal = signedWith === 'previous' ? REFUSALS.signature_of_old_secret : wrong;
  const { code } = refusal;
  return {
    outcome: 'refused',
    ticket: { kind: 'badly_signed', code, address: address(), signedWith },
    signedWith,
    refusal,
    action: null,
    title: null,
    text: undefined,
  };
}

/** The parts of an action's ticket that identify the request. */
export type Signed = Omit<Extract<Ticket, { kind: 'action' }>, 'kind' | 'upsert' | 'imported'>;

/** Reads the body of a request whose signature is valid. */
export function verifyBody(
  { record }: KnownSource,
  bytes: Uint8Array,
  { timestamp, signature, rememberSeconds, earlier }: Signed,
): Verified {
  const text = decodeBody(bytes);
  const parsed =
    record.kind === 'channel' ? parseConversationText(text) : parseActionText(text, record.external_ids);
  switch (parsed.outcome) {
    case 'valid': {
      const upsert = parsed.action.kind === 'upsert';
      return {
        outcome: 'action',
        // Field by field, because a spread for every request costs more than the rest of this function.
        ticket:
          earlier === undefined
            ? { kind: 'action', upsert, timestamp, signature, rememberSeconds }
            : { kind: 'action', upsert, timestamp, signature, rememberSeconds, earlier },
        action: parsed.action,
        text,
        unread: parsed.unread,
      };
    }
    case 'malformed_json': {
      const refusal: Refusal = { code: 'malformed_json', detail: parsed.detail };
      return { outcome: 'refused', ticket: { kind: 'refused' }, refusal, action: null, title: null, text };
    }
    case 'validation_failed': {
      const detail = detailOfFields(WRONG_FIELDS, parsed.errors);
      const refusal: Refusal = { code: 'validation_failed', detail, errors: parsed.errors };
      return {
        outcome: 'refused',
        ticket: { kind: 'refused' },
        refusal,
        action: parsed.action,
        title: parsed.title,
        text,
      };
    }
  }
}
