import type { mongo } from 'mongoose';

/** One step from a database version to the next. */
export interface Migration {
  /** Description for the log and the command line. */
  readonly name: string;
  /**
   * The lowest database version whose code can still work with the result. A downgrade can go back that far, and
   * replicas of that version may run at the same time.
   */
  readonly oldestReader: number;
  /**
   * Must be idempotent, also when rerun in part, while services of the previous version are running. Each operation
   * should take seconds: the driver's timeout is 20 s.
   */
  run(db: mongo.Db): Promise<void>;
}

/**
 * The first turns a database without a version into version 1, and so on. Never change a released migration. Append a new
 * one, with a test on a database of the previous release. 0.1.0 left version 2.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'set keep_bodies: true in sources that lack keep_bodies',
    oldestReader: 0,
    async run(db) {
      await db
        .collection('sources')
        .updateMany({ keep_bodies: { $exists: false } }, { $set: { keep_bodies: true } });
    },
  },
  {
    name: 'set body_storage in sources that have only keep_bodies',
    oldestReader: 0,
    async run(db) {
      const lacking = { body_storage: { $exists: false } };
      const sources = db.collection('sources');
      await sources.updateMany({ ...lacking, keep_bodies: false }, { $set: { body_storage: 'none' } });
      await sources.updateMany(lacking, { $set: { body_storage: 'all' } });
    },
  },
  {
    name: 'remove keep_bodies from sources: body_storage says the same',
    // 0.1.0 reads body_storage if there is no keep_bodies.
    oldestReader: 2,
    async run(db) {
      await db.collection('sources').updateMany({}, { $unset: { keep_bodies: 1 } });
    },
  },
];
