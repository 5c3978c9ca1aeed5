import { moveAccounts } from '@sluice/accounts/shards/move-accounts';
import { createFoldedRefusals } from '@sluice/admission/folded-refusals';
import { createHoldWrites } from '@sluice/admission/replica-wait';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { createKeyspace } from '@sluice/redis/keyspace';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { createWriteCounterRows } from '../../services/worker/src/delivery-log/write-counter-rows.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { createSource } from '../worker/support/groups.ts';
import { useTestStores } from '../worker/support/stores.ts';

describe('rejections that are counted instead of logged, while shards are added', () => {
  const stores = useTestStores();

  it('are all counted in the row of their minute, from before and after the change', async () => {
    const { redis, store } = stores;
    const namespace = uniqueNamespace();
    const shards = createShards(namespace, 4);
    const first = createKeyspace(namespace);
    let source = createSource();
    while (shards.of(source.account_id).prefix === first.prefix) source = createSource();
    const { source_id, account_id } = source;
    const home = shards.of(account_id);
    const minute = Math.floor(Date.now() / MINUTE_MS) - 2;
    /** Counts as the admission script does (admit.lua.ts). */
    const count = async (keyspace: typeof home, times: number) => {
      await redis.hincrby(keyspace.folded(source_id, minute), 'signature_invalid', times);
      await redis.zadd(keyspace.foldedIndex, minute, `${source_id}|${account_id}|${minute}`);
    };
    const writeOf = (keyspace: typeof home) =>
      createWriteCounterRows({ folded: createFoldedRefusals({ redis, keyspace }), log: store.deliveries });

    await count(first, 70);
    const accountOf = (id: string) => (id === source_id ? account_id : undefined);
    await moveAccounts({ redis, namespace, accountOf, hold: createHoldWrites([]) }, 4);
    await count(home, 20);
    for (const keyspace of shards.all) await writeOf(keyspace)();

    const rows = [...(await stores.deliveries(source_id)).values()];
    expect(rows.map((row) => row.count)).to.deep.equal([90]);
    expect(await redis.keys(`{${namespace}:*}:folded*`), 'all are settled').to.deep.equal([]);
  });
});
