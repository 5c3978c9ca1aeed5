import type { SignedWith } from '@sluice/contract/delivery';
import type { AskedAction } from '@sluice/contract/groups';
import type { ProblemCode } from '@sluice/contract/problem';
import { jobTarget } from '@sluice/queue/add-job.lua';
import type { Keyspace } from '@sluice/shards/keyspace';
import type { Redis } from 'ioredis';
import { ADMIT_LUA, SEEN_SIGNATURE_DIGITS, VERDICT } from './admit.lua.ts';
import { foldedField } from './folded-refusals.ts';
import type { SourceRecord } from './source-record.ts';

/** A request that asks for admission, or a rejected one that may get a row in the delivery log. */
export type Ticket =
  | {
      /** A signed action. `imported` actions do not count towards the source's rate (service.md 8). */
      readonly kind: 'action';
      readonly upsert: boolean;
      readonly imported?: boolean;
      /** The timestamp header. With the signature it identifies the byte-identical request. */
      readonly timestamp: string;
      /** The whole signature header, `sha256=…`. */
      readonly signature: string;
      /** How long an identical request can still be inside the window. Seconds. */
      readonly rememberSeconds: number;
    }
  /** A signed request whose body is not a valid action. */
  | { readonly kind: 'refused' }
  /** A request that was rejected without a check of its signature. */
  | { readonly kind: 'unverified'; readonly code: ProblemCode }
  /** A wrong signature. `address` counts towards the limit of bad signatures, unless it is null. */
  | {
      readonly kind: 'badly_signed';
      readonly code: ProblemCode;
      readonly address: string | null;
      /** The address is over its limit already, and is not counted again. */
      readonly blocked?: boolean;
      /** Requests without a separate row are counted by it. */
      readonly signedWith?: SignedWith | undefined;
    };

/** The remaining rate of a source after a request. */
export interface RateState {
  readonly remaining: number;
  /** Seconds until the whole burst is free again. */
  readonly resetSeconds: number;
}

export type Verdict =
  | { readonly outcome: 'admitted' | 'duplicate'; readonly sequence: number; readonly rate: RateState }
  /** The cached source is stale: read it and verify the request again. */
  | { readonly outcome: 'stale' }
  /** An admin is changing the source: retry soon. */
  | { readonly outcome: 'changing' }
  | { readonly outcome: 'inactive' | 'plan_limit' | 'backlog_full' | 'refused'; readonly rate: RateState }
  | { readonly outcome: 'rate_limited'; readonly retryAfterSeconds: number; readonly rate: RateState }
  /** An unverified request. `logged`: it gets a separate row. Otherwise it was counted. */
  | { readonly outcome: 'refused_unverified'; readonly logged: boolean }
  /** A wrong signature of an address over its limit. It was counted and gets no separate row. */
  | { readonly outcome: 'too_many_bad_signatures'; readonly retryAfterSeconds: number };

/** The requests of one source in a group, with the cached source that verified them. */
export interface SourceTickets {
  readonly record: SourceRecord;
  readonly rate: { readonly perSecond: number; readonly burst: number };
  /** The limit of accepted upserts in a month; null is no limit. */
  readonly planLimit: number | null;
  readonly tickets: readonly Ticket[];
  /** The action for the job, of the ticket at an index. */
  readonly asked: (index: number) => AskedAction;
}

export interface AdmitInput {
  readonly sources: readonly SourceTickets[];
  readonly backlogFull: boolean;
  /** The id of the job with the admitted actions. */
  readonly groupId: string;
  /** Milliseconds since the Unix epoch. Its calendar month (UTC) is the month of the plan's use. */
  readonly nowMs: number;
}

/**
 * Admits a group and enqueues the admitted actions and their duplicates as one job, atomically. It resolves to one verdict
 * for each ticket, source by source in the given order.
 */
export type Admit = (input: AdmitInput) => Promise<Verdict[]>;

const SECOND_US = 1_000_000;
const SIGNATURE_DIGITS = { from: 'sha256='.length, to: 'sha256='.length + SEEN_SIGNATURE_DIGITS };

interface AdmitCommand {
  sluiceAdmit(...args: (string | number)[]): Promise<string>;
}

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
      /** The length of its JSON in the job. */
      readonly bytes: number;
    }
  /** Rejected although signed. It counts towards the source's rate. */
  | { readonly kind: 'r' }
  /** Rejected, and not verified. */
  | { readonly kind: 'f'; readonly code: string }
  /** Rejected for a wrong signature. An empty address is not counted. */
  | { readonly kind: 's'; readonly code: string; readonly address: string; readonly blocked_code: string }
  /** Rejected for a wrong signature, from an address over its limit. */
  | { readonly kind: 'b'; readonly blocked_code: string };

/** Rejects if Redis does not respond. Then the outcome is unknown: the group is both admitted and enqueued, or neither. */
export function createAdmit({
  redis,
  keyspace,
  badSignaturesPerMinute,
}: {
  redis: Redis;
  keyspace: Keyspace;
  /** null if they are counted elsewhere (see bad-signatures.ts). */
  badSignaturesPerMinute: number | null;
}): Admit {
  redis.defineCommand('sluiceAdmit', { lua: ADMIT_LUA });
  const command = redis as unknown as AdmitCommand;
  const { keys: queueKeys, jobPrefix, options } = jobTarget('actions', keyspace.prefix);
  const badLimit = badSignaturesPerMinute ?? -1;
  return async ({ sources, backlogFull, groupId, nowMs }) => {
    const month = new Date(nowMs).toISOString().slice(0, 7);
    const actions: string[] = [];
    const asked = sources.map((source) => askedSource(source, actions));
    const limits = [keyspace.prefix, backlogFull ? 1 : 0, badLimit, month];
    const job = [jobPrefix, options, groupId, nowMs];
    const args = [...queueKeys, ...limits, ...job, JSON.stringify(asked), actions.join(',')];
    return readVerdicts(JSON.parse(await command.sluiceAdmit(queueKeys.length, ...args)));
  };
}

/** Adds the JSON of the source's actions to `actions`. */
function askedSource(source: SourceTickets, actions: string[]): AskedSource {
  const { record, rate, planLimit, tickets, asked } = source;
  return {
    id: record.source_id,
    account: record.account_id,
    version: String(record.version),
    overlap_end: record.previous_secret?.accepted_until ?? 0,
    // A whole number, because sums of fractions at the size of a time in microseconds are rounded, which costs one request of
    // the burst. It is rounded down, so that no request within the rate is rejected. Up to 10,000 a second, less than 1 % more
    // pass.
    interval: Math.floor(SECOND_US / rate.perSecond),
    burst: rate.burst,
    plan_limit: planLimit ?? -1,
    tickets: tickets.map((ticket, i) => askedTicket(ticket, () => addAction(actions, asked(i)))),
  };
}

/** Returns its length in bytes. */
function addAction(actions: string[], action: AskedAction): number {
  const text = JSON.stringify(action);
  actions.push(text);
  return Buffer.byteLength(text);
}

function kindOf({ imported, upsert }: Ticket & { kind: 'action' }): 'i' | 'c' | 'u' | 'a' {
  if (imported === true) return upsert ? 'i' : 'c';
  return upsert ? 'u' : 'a';
}

function askedTicket(ticket: Ticket, enqueue: () => number): AskedTicket {
  switch (ticket.kind) {
    case 'action': {
      const { timestamp, rememberSeconds } = ticket;
      const signature = ticket.signature.slice(SIGNATURE_DIGITS.from, SIGNATURE_DIGITS.to);
      return { kind: kindOf(ticket), timestamp, signature, seconds: rememberSeconds, bytes: enqueue() };
    }
    case 'refused':
      return { kind: 'r' };
    case 'unverified':
      return { kind: 'f', code: ticket.code };
    case 'badly_signed':
      return askedBadlySigned(ticket);
  }
}

function askedBadlySigned({
  code,
  address,
  blocked,
  signedWith,
}: Ticket & { kind: 'badly_signed' }): AskedTicket {
  const blocked_code = foldedField('too_many_bad_signatures', signedWith);
  if (blocked === true) return { kind: 'b', blocked_code };
  return { kind: 's', code: foldedField(code, signedWith), address: address ?? '', blocked_code };
}

function readVerdicts(reply: readonly number[]): Verdict[] {
  const verdicts: Verdict[] = [];
  for (let i = 0; i < reply.length; i += 4) {
    const [code, value] = [reply[i] as number, reply[i + 1] as number];
    const [remaining, resetUs] = [reply[i + 2] as number, reply[i + 3] as number];
    verdicts.push(readVerdict(code, value, { remaining, resetSeconds: Math.ceil(resetUs / SECOND_US) }));
  }
  return verdicts;
}

function readVerdict(code: number, value: number, rate: RateState): Verdict {
  switch (code) {
    case VERDICT.admitted:
      return { outcome: 'admitted', sequence: value, rate };
    case VERDICT.duplicate:
      return { outcome: 'duplicate', sequence: value, rate };
    case VERDICT.stale:
      return { outcome: 'stale' };
    case VERDICT.changing:
      return { outcome: 'changing' };
    case VERDICT.inactive:
      return { outcome: 'inactive', rate };
    case VERDICT.rate_limited:
      return { outcome: 'rate_limited', retryAfterSeconds: Math.ceil(value / SECOND_US), rate };
    case VERDICT.plan_limit:
      return { outcome: 'plan_limit', rate };
    case VERDICT.backlog_full:
      return { outcome: 'backlog_full', rate };
    case VERDICT.refused:
      return { outcome: 'refused', rate };
    case VERDICT.unverified:
      return { outcome: 'refused_unverified', logged: true };
    case VERDICT.unverified_folded:
      return { outcome: 'refused_unverified', logged: false };
    case VERDICT.blocked:
      return { outcome: 'too_many_bad_signatures', retryAfterSeconds: Math.ceil(value / SECOND_US) };
    default:
      throw new Error(`the admission script returned the unknown verdict ${code}`);
  }
}
