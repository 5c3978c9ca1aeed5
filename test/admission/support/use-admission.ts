import { type AdmitInput, createAdmit } from '@sluice/admission/admit';
import { createSourceDirectory, type SourceDirectory } from '@sluice/admission/source-directory';
import type { SourceRecord } from '@sluice/admission/source-record';
import type { Ticket } from '@sluice/admission/ticket';
import type { Verdict } from '@sluice/admission/verdict';
import type { AskedAction } from '@sluice/contract/delivery/groups';
import { createKeyspace, type Keyspace } from '@sluice/redis/keyspace';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../../support/shared-redis.ts';
import { sourceRecord } from '../../support/source-record.ts';

export interface AdmitOptions {
  readonly rate?: { readonly perSecond: number; readonly burst: number };
  readonly planLimit?: number | null;
  readonly backlogFull?: boolean;
  readonly pack?: boolean;
}

/** The tickets of one source in a group. */
export interface GroupPart {
  readonly record: SourceRecord;
  readonly tickets: readonly Ticket[];
  /** Added to each of its actions. */
  readonly more?: Pick<AskedAction, 'action'>;
}

/** A month that is not this machine's, because the caller decides which one counts. */
export const NOW = Date.UTC(2026, 4, 31, 23, 59);

export const asked = ({ source_id, account_id }: SourceRecord, index: number): AskedAction => ({
  request_id: `req_${index}`,
  source_id,
  account_id,
  received_at: NOW,
  action: { kind: 'cancel', identity: { title: `Übung ${index} 🎉`, starts_at: NOW, location: 'Genk' } },
});

export const outcomes = (verdicts: readonly Verdict[]) => verdicts.map((verdict) => verdict.outcome);

export const sequences = (verdicts: readonly Verdict[]) =>
  verdicts.flatMap((verdict) => ('sequence' in verdict ? [verdict.sequence] : []));

export function inputOf(parts: readonly GroupPart[], options: AdmitOptions = {}): AdmitInput {
  const { rate = { perSecond: 1000, burst: 100_000 }, planLimit = null, backlogFull = false, pack } = options;
  const ofAll = { rate, planLimit };
  return {
    sources: parts.map((part) => ({
      ...part,
      ...ofAll,
      asked: (index) => ({ ...asked(part.record, index), ...part.more }),
    })),
    backlogFull,
    ...(pack !== undefined && { pack }),
    groupId: 'grp_test',
    nowMs: NOW,
  };
}

/** The admission on the shared Redis, with a separate namespace for each test. */
export function useAdmission() {
  let redis: Redis;
  let keyspace: Keyspace;
  let directory: SourceDirectory;
  let sources = 0;
  let signatures = 0;

  before(() => {
    redis = new Redis(sharedRedisUrl());
  });
  beforeEach(() => {
    keyspace = createKeyspace(uniqueNamespace());
    directory = createSourceDirectory({ redis, keyspace });
  });
  after(() => redis?.disconnect());

  async function publish(overrides: Partial<SourceRecord> = {}): Promise<SourceRecord> {
    sources += 1;
    const own = { source_id: `src_${sources}`, account_id: `acc_${sources}` };
    const record = sourceRecord({ ...own, ...overrides });
    await directory.republish(record, async () => record);
    return record;
  }

  const action = (upsert = true): Ticket => {
    signatures += 1;
    const signature = `sha256=${signatures.toString(16).padStart(64, '0').split('').reverse().join('')}`;
    return { kind: 'action', upsert, timestamp: '1790000000', signature, rememberSeconds: 600 };
  };
  const many = (count: number, upsert = true) => Array.from({ length: count }, () => action(upsert));

  const admit = (record: SourceRecord, tickets: readonly Ticket[], options?: AdmitOptions) =>
    admitTogether([{ record, tickets }], options);

  /** A group of several sources. */
  const admitTogether = async (parts: readonly GroupPart[], options?: AdmitOptions) =>
    (await createAdmit({ redis, keyspace, badSignaturesPerMinute: 10 })(inputOf(parts, options))).verdicts;

  /** The content of the jobs, the oldest first. */
  async function queued(): Promise<unknown[]> {
    const ids = (await redis.lrange(`${keyspace.prefix}:actions:wait`, 0, -1)).reverse();
    const jobs = await Promise.all(ids.map((id) => redis.hget(`${keyspace.prefix}:actions:${id}`, 'data')));
    return jobs.map((data) => JSON.parse(data as string));
  }

  return {
    redis: () => redis,
    keyspace: () => keyspace,
    directory: () => directory,
    publish,
    action,
    many,
    admit,
    admitTogether,
    queued,
  };
}
