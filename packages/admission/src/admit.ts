import { GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { SECOND_US } from '@sluice/contract/time/durations';
import { jobTarget } from '@sluice/queue/add-job.lua';
import { packActions } from '@sluice/queue/packed-actions';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';
import { ADMIT_LUA } from './admit.lua.ts';
import { askedSource, type JobActions } from './asked-source.ts';
import { VERDICT } from './checks/verdict-codes.ts';
import { type AdmitOnly, ShardMoved, throwMoved } from './shard-moved.ts';
import type { SourceTickets } from './ticket.ts';
import type { RateState, Verdict } from './verdict.ts';

export interface AdmitInput {
  readonly sources: readonly SourceTickets[];
  readonly backlogFull: boolean;
  /** The id of the job with the admitted actions. */
  readonly groupId: string;
  /** Many groups wait: pack this one, so that it takes less memory of Redis (contract: PackedGroup). */
  readonly pack?: boolean;
  /** Milliseconds since the Unix epoch. Its calendar month (UTC) is the month of the plan's use. */
  readonly nowMs: number;
}

export interface Admitted {
  /** One for each ticket, source by source in the given order. */
  readonly verdicts: readonly Verdict[];
  /** The id of the job. Redis counts them up; undefined: nothing was enqueued. */
  readonly job?: number | undefined;
}

/**
 * Admits a group and enqueues the admitted actions and their duplicates as one job, atomically. With `only` it
 * rejects with ShardMoved rather than admit elsewhere.
 */
export type Admit = (input: AdmitInput, only?: AdmitOnly) => Promise<Admitted>;

/** A smaller group, such as a single action, hardly shrinks and takes ten times as long for each byte. */
const PACKED_FROM_LENGTH = 4096;

interface AdmitCommand {
  sluiceAdmit(...args: (string | number)[]): Promise<string>;
}

function commandOn(connection: Redis): AdmitCommand {
  if (!('sluiceAdmit' in connection)) connection.defineCommand('sluiceAdmit', { lua: ADMIT_LUA });
  return connection as unknown as AdmitCommand;
}

/** Rejects if Redis does not respond. Then the outcome is unknown: the group is both admitted and enqueued, or neither. */
export function createAdmit({
  redis,
  keyspace,
  badSignaturesPerMinute,
}: {
  redis: Redis;
  keyspace: Keyspace;
  badSignaturesPerMinute: number;
}): Admit {
  const { keys: queueKeys, jobPrefix, options } = jobTarget('actions', keyspace.prefix);
  return async ({ sources, backlogFull, groupId, pack = false, nowMs }, only) => {
    const month = new Date(nowMs).toISOString().slice(0, 7);
    const actions: JobActions = { texts: [], version: GROUP_VERSION };
    const asked = sources.map((source) => askedSource(source, actions));
    const limits = [keyspace.prefix, backlogFull ? 1 : 0, badSignaturesPerMinute, month];
    const job = [jobPrefix, options, groupId, nowMs];
    const text = actions.texts.join(',');
    const packed = pack && text.length >= PACKED_FROM_LENGTH ? packActions(`[${text}]`) : '';
    const args = [...queueKeys, ...limits, ...job, JSON.stringify(asked), text, packed];
    if (only === undefined)
      return readReply(await commandOn(redis).sluiceAdmit(queueKeys.length, ...args, '', actions.version));
    const asking = commandOn(only.connection).sluiceAdmit(
      queueKeys.length,
      ...args,
      only.run,
      actions.version,
    );
    return readReply(await asking.catch(throwMoved));
  };
}

/** Reads the script's reply: four numbers for each ticket, and a job's id. Throws for a verdict that this version does not know. */
function readReply(text: string): Admitted {
  if (!text.startsWith('[')) throw new ShardMoved(text);
  const reply = JSON.parse(text) as readonly number[];
  const verdicts: Verdict[] = [];
  for (let i = 0; i + 4 <= reply.length; i += 4) {
    const [code, value] = [reply[i] as number, reply[i + 1] as number];
    const [remaining, resetUs] = [reply[i + 2] as number, reply[i + 3] as number];
    verdicts.push(readVerdict(code, value, { remaining, resetSeconds: Math.ceil(resetUs / SECOND_US) }));
  }
  return { verdicts, job: reply.length % 4 === 1 ? reply.at(-1) : undefined };
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
      return { outcome: 'refused', logged: true, rate };
    case VERDICT.refused_folded:
      return { outcome: 'refused', logged: false, rate };
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
