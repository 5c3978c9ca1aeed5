import type { SignedWith } from '@sluice/contract/delivery';
import type { AskedAction } from '@sluice/contract/groups';
import type { ProblemCode } from '@sluice/contract/problem';
import { jobTarget } from '@sluice/queue/add-job.lua';
import type { Keyspace } from '@sluice/shards/keyspace';
import type { Redis } from 'ioredis';
import { ADMIT_LUA, SEEN_SIGNATURE_DIGITS, VERDICT } from './admit.lua.ts';
import { foldedField } from './folded-refusals.ts';
import type { SourceRecord } from './source-record.ts';

/** One request that asks to be admitted, or to be refused with a row in the delivery log. */
export type Ticket =
  | {
      /** Signed, and its body is an action. `imported`: it costs the source's rate nothing (service.md 8). */
      readonly kind: 'action';
      readonly upsert: boolean;
      readonly imported?: boolean;
      /** As in the request's header: with the signature it names the byte-identical request. */
      readonly timestamp: string;
      /** The whole signature header, `sha256=…`. */
      readonly signature: string;
      /** How long an identical request can still be inside the window. */
      readonly rememberSeconds: number;
    }
  /** Signed, but its body is no action. */
  | { readonly kind: 'refused' }
  /** Refused before or without a look at its signature. */
  | { readonly kind: 'unverified'; readonly code: ProblemCode }
  /** Its signature is wrong. `address` is counted towards the limit of bad signatures; null: not to be counted. */
  | {
      readonly kind: 'badly_signed';
      readonly code: ProblemCode;
      readonly address: string | null;
      /** The address is known to be over its limit: it is not counted again. */
      readonly blocked?: boolean;
      /** Counted apart where it gets no row of its own. */
      readonly signedWith?: SignedWith | undefined;
    };

/** What is left of a source's rate after a request. */
export interface RateState {
  readonly remaining: number;
  /** Until the whole burst is free again. */
  readonly resetSeconds: number;
}

export type Verdict =
  | { readonly outcome: 'admitted' | 'duplicate'; readonly sequence: number; readonly rate: RateState }
  /** The source is not as cached (any more): read it again and verify anew. */
  | { readonly outcome: 'stale' }
  /** An admin's change of the source is under way: ask again in a moment. */
  | { readonly outcome: 'changing' }
  | { readonly outcome: 'inactive' | 'plan_limit' | 'backlog_full' | 'refused'; readonly rate: RateState }
  | { readonly outcome: 'rate_limited'; readonly retryAfterSeconds: number; readonly rate: RateState }
  /** An unverified request: `logged` says whether it gets a row of its own or was counted. */
  | { readonly outcome: 'refused_unverified'; readonly logged: boolean }
  /** A wrong signature of an address over its limit: counted, without a row of its own. */
  | { readonly outcome: 'too_many_bad_signatures'; readonly retryAfterSeconds: number };

/** The requests of one source in a group, with the source as it was cached when they were verified. */
export interface SourceTickets {
  readonly record: SourceRecord;
  readonly rate: { readonly perSecond: number; readonly burst: number };
  /** Accepted upserts a month; null is no limit. */
  readonly planLimit: number | null;
  readonly tickets: readonly Ticket[];
  /** What the job holds of the ticket at an index, where that is an action. */
  readonly asked: (index: number) => AskedAction;
}

export interface AdmitInput {
  readonly sources: readonly SourceTickets[];
  readonly backlogFull: boolean;
  /** Names the job of what is admitted. */
  readonly groupId: string;
  /** Milliseconds since the Unix epoch. The plan's use of its calendar month (UTC) counts. */
  readonly nowMs: number;
}

/**
 * Admits a group and enqueues what was admitted (and what repeats it) as one job, in one step: one verdict for each
 * ticket, source by source in the order given.
 */
export type Admit = (input: AdmitInput) => Promise<Verdict[]>;

const SECOND_US = 1_000_000;
const SIGNATURE_DIGITS = { from: 'sha256='.length, to: 'sha256='.length + SEEN_SIGNATURE_DIGITS };

interface AdmitCommand {
  sluiceAdmit(...args: (string | number)[]): Promise<string>;
}

/** What the script is asked of one source (ARGV[9]). */
interface AskedSource {
  readonly id: string;
  readonly account: string;
  /** As cached, and as text: so Redis has it. */
  readonly version: string;
  /** The end of an overlap in which the secret before is accepted, ms since the epoch; 0: there is none. */
  readonly overlap_end: number;
  /** Microseconds of the source's rate that one request costs. */
  readonly interval: number;
  readonly burst: number;
  /** Accepted upserts a month; -1: none. */
  readonly plan_limit: number;
  readonly tickets: readonly AskedTicket[];
}

type AskedTicket =
  /** u: upsert, a: another action; i, c: the same, imported (they cost no rate). */
  | {
      readonly kind: 'u' | 'a' | 'i' | 'c';
      readonly timestamp: string;
      /** 16 hex digits of it. */
      readonly signature: string;
      /** How long it is to be remembered. */
      readonly seconds: number;
      /** The length of what the job will hold of it. */
      readonly bytes: number;
    }
  /** Refused though signed: it still costs the source's rate. */
  | { readonly kind: 'r' }
  /** Refused, not signed. */
  | { readonly kind: 'f'; readonly code: string }
  /** Refused, badly signed. No address: it is not to be counted. */
  | { readonly kind: 's'; readonly code: string; readonly address: string; readonly blocked_code: string }
  /** Refused, badly signed, of an address that is known to be over its limit. */
  | { readonly kind: 'b'; readonly blocked_code: string };

/** Rejects when Redis does not answer; whether the group was admitted and enqueued is unknown then, but it is both or neither. */
export function createAdmit({
  redis,
  keyspace,
  badSignaturesPerMinute,
}: {
  redis: Redis;
  keyspace: Keyspace;
  /** null: they are counted elsewhere (see bad-signatures.ts). */
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

/** Adds what the job will hold of the source's actions to `actions`. */
function askedSource(source: SourceTickets, actions: string[]): AskedSource {
  const { record, rate, planLimit, tickets, asked } = source;
  return {
    id: record.source_id,
    account: record.account_id,
    version: String(record.version),
    overlap_end: record.previous_secret?.accepted_until ?? 0,
    // Whole: a sum of fractions at the size of the time in microseconds is rounded, and takes one from the burst. Down, so
    // that nobody is refused within the rate; up to 10,000 a second it lets through less than 1 % more.
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
      throw new Error(`the admission script answered with the unknown verdict ${code}`);
  }
}
