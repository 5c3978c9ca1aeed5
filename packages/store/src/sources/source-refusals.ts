import type { PendingChange } from '@sluice/contract/message/change';
import type { ProblemCode } from '@sluice/contract/problem/problem';
import type { Connection, mongo } from 'mongoose';
import type { PendingRecord } from '../pending/pending-record.ts';
import { type StoredChange, toStoredChange } from '../pending/stored-change.ts';
import { isSet, nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { isDuplicateKey } from '../writing/write-errors.ts';

/** Refused requests of one source in one minute. */
export interface RefusalCount {
  /** The number of the minute since the Unix epoch. */
  readonly minute: number;
  readonly code: ProblemCode;
  readonly count: number;
  /**
   * Present if `count` is the total of something that is counted elsewhere, and names it. Any number of workers may report it.
   * Absent: `count` is added.
   */
  readonly totalOf?: string | undefined;
}

export interface CountedSource {
  readonly source_id: string;
  readonly account_id: string;
}

/** All counts that are kept of a source. */
export interface RefusalCounts {
  readonly counts: readonly Pick<RefusalCount, 'minute' | 'code' | 'count'>[];
  /** When the source was last reported (ms since the Unix epoch); 0: never. */
  readonly told_at: number;
  /** The sequence number of the last report; 0: there is none. */
  readonly sequence: number;
}

export interface SourceRefusals {
  addCounts(source: CountedSource, counts: readonly RefusalCount[]): Promise<RefusalCounts>;
  /** Drops the counts of minutes before `minute`. */
  dropCounts(sourceId: string, minute: number): Promise<void>;
  /**
   * Keeps a report as pending change, unless another process has reported the source since the counts were read. Undefined: it
   * has.
   */
  report(
    source: CountedSource,
    read: Pick<RefusalCounts, 'sequence'>,
    report: RefusalReport,
  ): Promise<PendingRecord | undefined>;
  /**
   * The reports that owners are to be mailed about, since this time (milliseconds since the Unix epoch). Each is returned once,
   * also to several callers at the same time.
   */
  claimMails(since: number): Promise<readonly MailedRefusals[]>;
}

export interface RefusalReport {
  readonly change: PendingChange;
  /** Owners are to be mailed about it too. */
  readonly isMailed: boolean;
}

/** A report for a mail. */
export interface MailedRefusals extends CountedSource {
  readonly data: PendingChange['data'];
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

interface RefusalsDocument {
  readonly _id: string;
  readonly schema_version: 1;
  readonly account_id: string;
  /** `<minute>:<code>:<total of>` -> refusals. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly sequence: number;
  readonly told_at?: Date;
  readonly untold?: readonly StoredChange[];
  readonly untold_at?: Date;
  /** When a report was made that owners are to be mailed about. Absent: there is none. */
  readonly mail_at?: Date;
  readonly mail_data?: PendingChange['data'];
}

function refusalsSchema() {
  return nativeSchema<RefusalsDocument>()
    .index({ untold_at: 1 }, isSet('untold_at'))
    .index({ mail_at: 1 }, isSet('mail_at'));
}

/** Reports of one call. The next one returns the rest. */
const MAILS_AT_ONCE = 200;

const fieldOf = ({ minute, code, totalOf = '' }: RefusalCount) => `counts.${minute}:${code}:${totalOf}`;

export function createSourceRefusals(connection: Connection): SourceRefusals {
  const collection = registerCollection(connection, 'SourceRefusals', refusalsSchema(), 'source_refusals');

  async function add({ source_id, account_id }: CountedSource, counts: readonly RefusalCount[]) {
    const $inc: Record<string, number> = {};
    const $max: Record<string, number> = {};
    for (const one of counts) {
      const field = fieldOf(one);
      if (one.totalOf !== undefined) $max[field] = Math.max($max[field] ?? 0, one.count);
      else $inc[field] = ($inc[field] ?? 0) + one.count;
    }
    const update = {
      ...(Object.keys($inc).length > 0 && { $inc }),
      ...(Object.keys($max).length > 0 && { $max }),
      $set: { account_id },
      $setOnInsert: { schema_version: 1, sequence: 0 },
    } as mongo.UpdateFilter<RefusalsDocument>;
    return collection.findOneAndUpdate({ _id: source_id }, update, { upsert: true, returnDocument: 'after' });
  }

  return {
    async addCounts(source, counts) {
      const found = await add(source, counts).catch((error) => {
        // Another process inserted it at the same moment.
        if (isDuplicateKey(error)) return add(source, counts);
        throw error;
      });
      return toCounts(found);
    },
    async dropCounts(source_id, minute) {
      const found = await collection.findOne({ _id: source_id }, { projection: { counts: 1 } });
      const old = Object.keys(found?.counts ?? {}).filter((name) => Number(name.split(':')[0]) < minute);
      if (old.length === 0) return;
      const $unset = Object.fromEntries(old.map((name) => [`counts.${name}`, 1]));
      await collection.updateOne({ _id: source_id }, { $unset } as mongo.UpdateFilter<RefusalsDocument>);
    },
    async report({ source_id, account_id }, { sequence }, { change, isMailed }) {
      const at = new Date(change.at);
      const update = {
        $set: {
          told_at: at,
          sequence: change.sequence,
          ...(isMailed && { mail_at: at, mail_data: change.data }),
        },
        $push: { untold: toStoredChange(change) },
        // The oldest change counts: $min keeps the time of one that is not published yet.
        $min: { untold_at: at },
      } as mongo.UpdateFilter<RefusalsDocument>;
      const reported = await collection.findOneAndUpdate({ _id: source_id, sequence }, update);
      if (reported === null) return undefined;
      return { collection: 'source_refusals', id: source_id, account_id, changes: [change] };
    },
    async claimMails(since) {
      const claimed: MailedRefusals[] = [];
      const due = collection.find({ mail_at: { $gte: new Date(since) } }).limit(MAILS_AT_ONCE);
      for (const { _id, mail_at, account_id, mail_data } of await due.toArray()) {
        if (mail_at === undefined || mail_data === undefined) continue;
        const { modifiedCount } = await collection.updateOne(
          { _id, mail_at },
          { $unset: { mail_at: 1, mail_data: 1 } },
        );
        if (modifiedCount === 1)
          claimed.push({ source_id: _id, account_id, data: mail_data, at: mail_at.getTime() });
      }
      return claimed;
    },
  };
}

function toCounts(document: RefusalsDocument | null): RefusalCounts {
  const counts = Object.entries(document?.counts ?? {}).map(([name, count]) => {
    const [minute, code] = name.split(':');
    return { minute: Number(minute), code: code as ProblemCode, count };
  });
  return { counts, told_at: document?.told_at?.getTime() ?? 0, sequence: document?.sequence ?? 0 };
}
