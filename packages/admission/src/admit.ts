import { jobTarget } from '@sluice/queue/add-job.lua';
import { packActions } from '@sluice/queue/packed-actions';
import type { Keyspace } from '@sluice/shards/keyspace';
import type { Redis } from 'ioredis';
import { ADMIT_LUA } from './admit.lua.ts';
import { askedSource } from './asked-source.ts';
import { readVerdicts } from './read-verdicts.ts';
import type { SourceTickets } from './ticket.ts';
import type { Verdict } from './verdict.ts';

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

/**
 * Admits a group and enqueues the admitted actions and their duplicates as one job, atomically. It resolves to one verdict
 * for each ticket, source by source in the given order.
 */
export type Admit = (input: AdmitInput) => Promise<Verdict[]>;

/** A smaller group, such as a single action, hardly shrinks and takes ten times as long for each byte. */
const PACKED_FROM_LENGTH = 4096;

interface AdmitCommand {
  sluiceAdmit(...args: (string | number)[]): Promise<string>;
}

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
  return async ({ sources, backlogFull, groupId, pack = false, nowMs }) => {
    const month = new Date(nowMs).toISOString().slice(0, 7);
    const actions: string[] = [];
    const asked = sources.map((source) => askedSource(source, actions));
    const limits = [keyspace.prefix, backlogFull ? 1 : 0, badLimit, month];
    const job = [jobPrefix, options, groupId, nowMs];
    const text = actions.join(',');
    const packed = pack && text.length >= PACKED_FROM_LENGTH ? packActions(`[${text}]`) : '';
    const args = [...queueKeys, ...limits, ...job, JSON.stringify(asked), text, packed];
    return readVerdicts(JSON.parse(await command.sluiceAdmit(queueKeys.length, ...args)));
  };
}
