import { setTimeout as sleep } from 'node:timers/promises';
import type { Refuse } from '@sluice/runtime/process/refuse-to-start';
import type { Store } from '@sluice/store/connect';
import { refuseTooNew } from '@sluice/store/prepare-database';

const ASK_AGAIN_MS = 1000;

/**
 * Refuses a database that is too new to be read. An ingress works without MongoDB, so its start does not wait for the
 * answer: it asks until MongoDB has answered once. Workers and APIs run the migrations.
 */
export async function checkSchema(store: Pick<Store, 'opened' | 'schema'>, refuse: Refuse): Promise<void> {
  await store.opened().catch(() => undefined);
  for (;;) {
    const fit = await store.schema().catch(() => undefined);
    if (fit !== undefined) return refuseTooNew(fit, refuse);
    await sleep(ASK_AGAIN_MS, undefined, { ref: false });
  }
}
