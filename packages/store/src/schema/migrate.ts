import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { isDuplicateKey } from '../writing/write-errors.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { readSchemaFit, type SchemaDocument, type SchemaFit, schemaCollection } from './schema-version.ts';

export interface MigrateOptions {
  /** Called before each migration that this process runs. */
  readonly onMigration?: (migration: { readonly name: string; readonly version: number }) => void;
  /** Default: all migrations. */
  readonly migrations?: readonly Migration[];
}

/** Longest time that a process killed during a migration blocks the others. */
const LOCK_MS = 30_000;
const LOOK_AGAIN_MS = 500;

type Meta = mongo.Collection<SchemaDocument>;

/**
 * Migrates the database to the version of this code, one migration at a time. Of several processes, one works and the
 * others wait. The next process reruns an interrupted migration. Never resolves to `older`.
 */
export async function migrate(
  db: mongo.Db,
  { onMigration = () => {}, migrations = MIGRATIONS }: MigrateOptions = {},
): Promise<SchemaFit> {
  const meta = schemaCollection(db);
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`;
  for (;;) {
    const fit = await readSchemaFit(db, migrations.length);
    if (fit.status !== 'older') return fit;
    await writeVersionZero(meta);
    if (await lock(meta, holder)) await runNext(db, meta, holder, migrations, onMigration);
    else await sleep(LOOK_AGAIN_MS);
  }
}

/** Runs the next migration. Reads the version again, because another process may have run some before this lock. */
async function runNext(
  db: mongo.Db,
  meta: Meta,
  holder: string,
  migrations: readonly Migration[],
  onMigration: NonNullable<MigrateOptions['onMigration']>,
): Promise<void> {
  const renewing = setInterval(() => void renew(meta, holder).catch(() => {}), LOCK_MS / 3);
  try {
    const { version } = await readSchemaFit(db, migrations.length);
    const migration = migrations[version];
    if (migration === undefined) return;
    onMigration({ name: migration.name, version: version + 1 });
    await migration.run(db);
    // Only the lock holder: another process may have done the work while this one was frozen.
    const mine = { _id: 'schema', version, locked_by: holder } as const;
    await meta.updateOne(mine, { $set: { version: version + 1, oldest_reader: migration.oldestReader } });
  } finally {
    clearInterval(renewing);
    await meta
      .updateOne(
        { _id: 'schema', locked_by: holder },
        { $set: { locked_by: null, locked_until: new Date(0) } },
      )
      .catch(() => {});
  }
}

async function writeVersionZero(meta: Meta): Promise<void> {
  const zero = { version: 0, oldest_reader: 0, locked_by: null, locked_until: new Date(0) };
  try {
    await meta.updateOne({ _id: 'schema' }, { $setOnInsert: zero }, { upsert: true });
  } catch (error) {
    // Another process inserted it at the same moment.
    if (!isDuplicateKey(error)) throw error;
  }
}

async function lock(meta: Meta, holder: string): Promise<boolean> {
  const now = Date.now();
  const { modifiedCount } = await meta.updateOne(
    { _id: 'schema', locked_until: { $lte: new Date(now) } },
    { $set: { locked_by: holder, locked_until: new Date(now + LOCK_MS) } },
  );
  return modifiedCount === 1;
}

async function renew(meta: Meta, holder: string): Promise<void> {
  const locked_until = new Date(Date.now() + LOCK_MS);
  await meta.updateOne({ _id: 'schema', locked_by: holder }, { $set: { locked_until } });
}
