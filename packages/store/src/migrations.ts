import type { mongo } from 'mongoose';

/** One step from a version of the database to the next. */
export interface Migration {
  /** What it does, for whoever runs it. */
  readonly name: string;
  /**
   * The lowest version of the database whose code can still work with the result: that far one can go back, and
   * replicas of it may run beside.
   */
  readonly oldestReader: number;
  /**
   * Safe to run again, in part or as a whole, while services of the version before are at work. In operations that
   * take seconds: after 20 s the driver gives one up.
   */
  run(db: mongo.Db): Promise<void>;
}

/**
 * The first makes version 1 out of a database without a version, and so on. What was released is never changed: add
 * another one at the end, and a test with a database as the version before left it.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'write keep_bodies: true into sources that do not say it',
    oldestReader: 0,
    async run(db) {
      await db
        .collection('sources')
        .updateMany({ keep_bodies: { $exists: false } }, { $set: { keep_bodies: true } });
    },
  },
  {
    name: 'write body_storage into sources that say keep_bodies alone',
    // It reads keep_bodies, which is written beside.
    oldestReader: 0,
    async run(db) {
      const unsaid = { body_storage: { $exists: false } };
      const sources = db.collection('sources');
      await sources.updateMany({ ...unsaid, keep_bodies: false }, { $set: { body_storage: 'none' } });
      await sources.updateMany(unsaid, { $set: { body_storage: 'all' } });
    },
  },
];
