import type { IgnoredCode } from '@sluice/contract/delivery/delivery';
import { type AskedAction, type GroupVersion, groupVersionOf } from '@sluice/contract/delivery/groups';
import { SECOND_US } from '@sluice/contract/time/durations';
import { SEEN_SIGNATURE_DIGITS } from './checks/duplicates.lua.ts';
import { foldedField } from './folded-refusals.ts';
import type { SourceTickets, Ticket } from './ticket.ts';

const SIGNATURE_DIGITS = { from: 'sha256='.length, to: 'sha256='.length + SEEN_SIGNATURE_DIGITS };

/** The tickets of one source as the script reads them (ARGV[9]). */
interface AskedSource {
  readonly id: string;
  readonly account: string;
  /** The cached version. It is a text, because Redis stores it as text. */
  readonly version: string;
  /** The end of the overlap in which the previous secret is accepted, ms since the epoch; 0 if there is none. */
  readonly overlap_end: number;
  /** The microseconds between two requests at the source's rate. */
  readonly interval: number;
  readonly burst: number;
  /** The limit of accepted upserts in a month; -1 is no limit. */
  readonly plan_limit: number;
  readonly tickets: readonly AskedTicket[];
}

type AskedTicket =
  /** u: upsert, a: another action; i, c: the same, imported (they do not count towards the rate). */
  | {
      readonly kind: 'u' | 'a' | 'i' | 'c';
      readonly timestamp: string;
      /** Its first 16 hex digits. */
      readonly signature: string;
      /** How long to remember it. */
      readonly seconds: number;
      /** Further timestamps to look it up under. Absent: none. */
      readonly earlier?: readonly string[] | undefined;
      /** The length of its JSON in the job. */
      readonly bytes: number;
    }
  /** Rejected although signed. It counts towards the source's rate. With a code it is counted beyond the rows of a minute. */
  | { readonly kind: 'r'; readonly code: IgnoredCode | undefined }
  /** Rejected, and not verified. */
  | { readonly kind: 'f'; readonly code: string }
  /** Rejected for a wrong signature. An empty address is not counted. */
  | { readonly kind: 's'; readonly code: string; readonly address: string; readonly blocked_code: string };

/** The actions of a job, as JSON. */
export interface JobActions {
  readonly texts: string[];
  /** The version of the group that reads all of them. */
  version: GroupVersion;
}

/** Adds the JSON of the source's actions to `actions`. */
export function askedSource(source: SourceTickets, actions: JobActions): AskedSource {
  const { record, rate, planLimit, tickets, asked } = source;
  return {
    id: record.source_id,
    account: record.account_id,
    version: String(record.version),
    overlap_end: record.previous_secret?.accepted_until ?? 0,
    // A whole number, because sums of fractions at the size of a time in microseconds are rounded, which costs one request of
    // the burst. It is rounded down, so that no request within the rate is rejected. Up to 10,000 a second, less than 1 % more
    // pass. At least 1 us, because a source may have been stored with more than a million a second.
    interval: Math.max(1, Math.floor(SECOND_US / rate.perSecond)),
    burst: rate.burst,
    plan_limit: planLimit ?? -1,
    tickets: tickets.map((ticket, i) => askedTicket(ticket, () => addAction(actions, asked(i)))),
  };
}

/** Returns its length in bytes. */
function addAction(actions: JobActions, asked: AskedAction): number {
  const text = JSON.stringify(asked);
  actions.texts.push(text);
  // An ingress leaves out the action of nearly all requests: the worker reads it from the body.
  if (asked.action !== undefined && groupVersionOf(asked.action) > actions.version)
    actions.version = groupVersionOf(asked.action);
  return Buffer.byteLength(text);
}

function kindOf({ imported, upsert }: Ticket & { kind: 'action' }): 'i' | 'c' | 'u' | 'a' {
  if (imported === true) return upsert ? 'i' : 'c';
  return upsert ? 'u' : 'a';
}

function askedTicket(ticket: Ticket, enqueue: () => number): AskedTicket {
  switch (ticket.kind) {
    case 'action': {
      const { timestamp, rememberSeconds, earlier } = ticket;
      const signature = ticket.signature.slice(SIGNATURE_DIGITS.from, SIGNATURE_DIGITS.to);
      return {
        kind: kindOf(ticket),
        timestamp,
        signature,
        seconds: rememberSeconds,
        earlier,
        bytes: enqueue(),
      };
    }
    case 'refused':
      return { kind: 'r', code: ticket.ignored };
    case 'unverified':
      return { kind: 'f', code: ticket.code };
    case 'badly_signed': {
      const { code, address, signedWith } = ticket;
      const blocked_code = foldedField('too_many_bad_signatures', signedWith);
      return { kind: 's', code: foldedField(code, signedWith), address, blocked_code };
    }
  }
}
