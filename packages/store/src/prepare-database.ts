import type { Store } from './connect.ts';
import { type SchemaFit, whyTooNew } from './schema/schema-version.ts';

/** Ends the process, with its last log line. */
type Refuse = (fields: object, message: string) => Promise<never>;

export interface PrepareDatabaseDeps {
  readonly store: Pick<Store, 'migrate' | 'ensureIndexes'>;
  readonly logger: { info(fields: object, message: string): void };
  readonly refuse: Refuse;
}

/** Migrates the database and makes its indexes. Throws when MongoDB is away. Safe to run again. */
export async function prepareDatabase({ store, logger, refuse }: PrepareDatabaseDeps): Promise<void> {
  const fit = await store.migrate({
    onMigration: (migration) =>
      logger.info({ event: 'schema.migrating', ...migration }, 'migrating the database'),
  });
  await refuseTooNew(fit, refuse);
  await store.ensureIndexes({ fit });
}

/** Ends the process when its code would misread or damage the database. */
export async function refuseTooNew(fit: SchemaFit, refuse: Refuse): Promise<void> {
  if (fit.status === 'too_new') await refuse({ event: 'schema.too_new', ...fit }, whyTooNew(fit));
}
