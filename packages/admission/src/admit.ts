import type { SignedWith } from '@sluice/contract/delivery';
import type { AskedAction } from '@sluice/contract/groups';
import type { ProblemCode } from '@sluice/contract/problem';
import { jobTarget } from '@sluice/queue/add-job.lua';
import type { Redis } from 'ioredis';
import { ADMIT_LUA, VERDICT } from './admit.lua.ts';
import { foldedField } from './folded-refusals.ts';
import type { Keyspace } from './keyspace.ts';
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
  | { readonly outcome: 'refused_unverified'; readonly logged: boolean; readonly blocked: boolean };

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
const SIGNATURE_DIGITS = { from: 'sha256='.length, to: 'sha256='.length + 16 };

interface AdmitCommand {
  sluiceAdmit(...args: (string | number)[]): Promise<string>;
}

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
    const keys = [...queueKeys, ...sources.map(({ record }) => keyspace.source(record.source_id))];
    const args: (string | number)[] = [keyspace.prefix, backlogFull ? 1 : 0, badLimit];
    const actions: string[] = [];
    args.push(jobPrefix, options, groupId, nowMs, '');
    const actionsAt = args.length - 1;
    const month = new Date(nowMs).toISOString().slice(0, 7);
    for (const source of sources) pushSource(args, actions, source, keyspace, month);
    args[actionsAt] = actions.join(',');
    return readVerdicts(JSON.parse(await command.sluiceAdmit(keys.length, ...keys, ...args)));
  };
}

function pushSource(
  args: (string | number)[],
  actions: string[],
  source: SourceTickets,
  keyspace: Keyspace,
  month: string,
): void {
  const { record, rate, planLimit, tickets } = source;
  args.push(record.source_id, record.account_id, record.version, record.previous_secret?.accepted_until ?? 0);
  args.push(SECOND_US / rate.perSecond, rate.burst);
  args.push(keyspace.planUse(record.account_id, month), planLimit ?? -1, tickets.length);
  tickets.forEach((ticket, i) => {
    pushTicket(args, ticket);
    if (ticket.kind !== 'action') return;
    const action = JSON.stringify(source.asked(i));
    actions.push(action);
    args.push(Buffer.byteLength(action));
  });
}

function kindOf({ imported, upsert }: Ticket & { kind: 'action' }): 'i' | 'c' | 'u' | 'a' {
  if (imported === true) return upsert ? 'i' : 'c';
  return upsert ? 'u' : 'a';
}

function pushTicket(args: (string | number)[], ticket: Ticket): void {
  switch (ticket.kind) {
    case 'action': {
      const digits = ticket.signature.slice(SIGNATURE_DIGITS.from, SIGNATURE_DIGITS.to);
      args.push(kindOf(ticket), ticket.timestamp, digits, ticket.rememberSeconds);
      return;
    }
    case 'refused':
      args.push('r');
      return;
    case 'unverified':
      args.push('f', ticket.code);
      return;
    case 'badly_signed':
      args.push('s', foldedField(ticket.code, ticket.signedWith), ticket.address ?? '');
      return;
  }
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
      return { outcome: 'refused_unverified', logged: true, blocked: false };
    case VERDICT.unverified_folded:
      return { outcome: 'refused_unverified', logged: false, blocked: false };
    case VERDICT.blocked:
      return { outcome: 'refused_unverified', logged: true, blocked: true };
    case VERDICT.blocked_folded:
      return { outcome: 'refused_unverified', logged: false, blocked: true };
    default:
      throw new Error(`the admission script answered with the unknown verdict ${code}`);
  }
}
