import { randomBytes } from 'node:crypto';
import { type Connection, Schema } from 'mongoose';
import { nativeCollection } from '../writing/native-collection.ts';
import { mayStillRun } from '../writing/write-errors.ts';
import type { LeadDocument } from './lead-document.ts';

/**
 * Segments find the untold changes of leads that are written in batches. A lead names the segment of its last such write, also
 * after its changes are told. So clearing them changes no indexed field. With an index on the time of the changes, the embedded
 * store computes all keys of the lead again, which costs as much as its insert.
 *
 * A segment is stored before the first lead that names it. It is removed once all changes in it are told, and no write that
 * names it can follow. So every untold change is in a lead of a stored segment, or in one with `untold_at`. MongoDB may still run
 * a write that failed here, such as one that timed out. So sweepers alone remove such a segment, much later.
 *
 * Writes of single leads and of conversations run within a segment too, although these records do not name it. So `opened_at` of the
 * oldest segment shows since when writes may be under way, in all processes. A segment loses it once no write in it can follow. Its
 * changes may wait for hours until they are told.
 */
export interface LeadSegments {
  /** Runs a write whose leads name this segment. The segment is stored before. */
  within<T>(write: (segment: string) => Promise<T>): Promise<T>;
  /** The stored segments of all processes. */
  stored(): Promise<readonly string[]>;
  /**
   * When the oldest segment was opened in which writes may be under way, in milliseconds since the Unix epoch. Every write that has
   * begun before has ended. Undefined: there is none.
   */
  oldest(): Promise<number | undefined>;
  /** Removes the segment of another process. No lead of it may have an untold change, or be written from now on. */
  remove(segment: string): Promise<void>;
  /** Notes that no lead of the segment can be written from now on, although some have untold changes. */
  close(segment: string): Promise<void>;
  /** Removes the segments of this process that are told. Never rejects: the sweeper of another process removes the others. */
  stop(): Promise<void>;
}

export interface LeadSegmentsOptions {
  /** How long leads are written into one segment. Milliseconds. */
  readonly openMs?: number;
  /** How often this process looks for segments that are told. Milliseconds. */
  readonly everyMs?: number;
}

interface SegmentDocument {
  readonly _id: string;
  readonly schema_version: 1;
  /** Absent once no write in it can follow, and where an operator has added the segment (docs/operations.md). */
  readonly opened_at?: Date;
}

/** A segment of this process. Times are those of a clock that is never set, in milliseconds. */
interface Own {
  readonly id: string;
  readonly since: number;
  readonly stored: Promise<unknown>;
  /** When it was stored. Undefined: it is not stored yet. */
  storedAt?: number;
  /** Writes that name it and have not ended. */
  writes: number;
  /** No write in it can follow, but its changes wait to be told. */
  closed?: boolean;
}

const OPEN_MS = 1000;
const EVERY_MS = 1000;
/**
 * A process that was frozen must not write into a segment that others have seen for long: they may have removed it (sweep-segments.ts
 * of telling). Milliseconds.
 */
const OLDEST_MS = 5000;
/** Far more than processes have open at once. */
const MOST_STORED = 10_000;

/** Call `createLeads` on the same connection first: it registers the model. */
export function createLeadSegments(
  connection: Connection,
  { openMs = OPEN_MS, everyMs = EVERY_MS }: LeadSegmentsOptions = {},
): LeadSegments {
  const schema = new Schema<SegmentDocument>({ _id: String }, { strict: false, versionKey: false });
  schema.index({ opened_at: 1 }, { partialFilterExpression: { opened_at: { $exists: true } } });
  const segments = nativeCollection(
    connection.model<SegmentDocument>('LeadSegment', schema, 'lead_segments'),
  );
  const leads = nativeCollection(connection.model<LeadDocument>('Lead'));
  const own = new Set<Own>();
  let current: Own | undefined;
  let timer: NodeJS.Timeout | undefined;

  const ageOf = ({ since }: Own): number => performance.now() - since;
  /** Milliseconds since it could be written into. A slow store must leave its first writers time to begin. */
  const openFor = ({ storedAt }: Own): number => (storedAt === undefined ? 0 : performance.now() - storedAt);
  const isOpen = (segment: Own): boolean => openFor(segment) < openMs && ageOf(segment) < OLDEST_MS;
  const remove = async (_id: string): Promise<void> => {
    await segments.deleteOne({ _id });
  };
  const close = async (_id: string): Promise<void> => {
    await segments.updateOne({ _id }, { $unset: { opened_at: 1 } });
  };

  function opened(): Own {
    if (current !== undefined && isOpen(current)) return current;
    const id = randomBytes(12).toString('base64url');
    const stored = segments.insertOne({ _id: id, schema_version: 1, opened_at: new Date() });
    const segment: Own = { id, since: performance.now(), stored, writes: 0 };
    stored.then(
      () => {
        segment.storedAt = performance.now();
      },
      // Whether it was stored is unknown, so it stays among the own ones.
      () => {
        if (current === segment) current = undefined;
      },
    );
    own.add(segment);
    current = segment;
    timer ??= setTimeout(look, everyMs).unref();
    return segment;
  }

  async function removeIfTold(segment: Own): Promise<void> {
    const untold = { untold_in: segment.id, untold: { $exists: true } };
    // A secondary may lack changes, whatever MONGO_URL prefers.
    const found = await leads.findOne(untold, { projection: { _id: 1 }, readPreference: 'primary' });
    if (found === null) {
      await remove(segment.id);
      own.delete(segment);
    } else if (!segment.closed) {
      await close(segment.id);
      segment.closed = true;
    }
  }

  async function writeInto<T>(segment: Own, write: (segment: string) => Promise<T>): Promise<T> {
    try {
      return await write(segment.id);
    } catch (error) {
      // It is no longer an own one if MongoDB may run the write later.
      if (mayStillRun(error)) own.delete(segment);
      throw error;
    }
  }

  /** Segments whose changes had time to be told, and in which nothing is written. */
  async function removeTold(ended: (segment: Own) => boolean): Promise<void> {
    if (current !== undefined && ended(current)) current = undefined;
    const idle = [...own].filter((segment) => segment !== current && segment.writes === 0 && ended(segment));
    // A removal that fails is tried again. The next write learns that MongoDB is away.
    await Promise.allSettled(idle.map(removeIfTold));
  }

  async function look(): Promise<void> {
    await removeTold((segment) => !isOpen(segment) && ageOf(segment) >= openMs + everyMs);
    timer = own.size > 0 ? setTimeout(look, everyMs).unref() : undefined;
  }

  return {
    async within(write) {
      for (;;) {
        const segment = opened();
        segment.writes += 1;
        try {
          await segment.stored;
          if (ageOf(segment) < OLDEST_MS) return await writeInto(segment, write);
        } finally {
          segment.writes -= 1;
        }
      }
    },
    async stored() {
      const found = await segments.find({}).limit(MOST_STORED).toArray();
      return found.map(({ _id }) => _id);
    },
    async oldest() {
      // It reads where the list after it reads: a primary may have removed what a secondary has not written yet.
      const found = await segments
        .find({ opened_at: { $exists: true } })
        .sort({ opened_at: 1 })
        .limit(1)
        .toArray();
      return found[0]?.opened_at?.getTime();
    },
    close,
    remove,
    async stop() {
      clearTimeout(timer);
      await removeTold(() => true);
    },
  };
}
