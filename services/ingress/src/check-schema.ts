import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '@sluice/store/connect';
import { whyTooNew } from '@sluice/store/schema-version';

const ASK_AGAIN_MS = 1000;

/**
 * Refuses a database that is too new for this version. An ingress starts without MongoDB, so the check repeats until
 * MongoDB has responded once. Workers and API servers run the migrations.
 */
export async function checkSchema(
  store: Pick<Store, 'opened' | 'schema'>,
  refuse: (fields: object, message: string) => unknown,
): Promise<void> {
  await store.opened().catch(() => undefined);
  for (;;) {
    const fit = await store.schema().catch(() => undefined);
    if (fit?.status === 'too_new') await refuse({ event: 'schema.too_new', ...fit }, whyTooNew(fit));
    if (fit !== undefined) return;
    await pause(ASK_AGAIN_MS, undefined, { ref: false });
  }
}
