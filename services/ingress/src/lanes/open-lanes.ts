import { type CountBadSignature, createCountBadSignature } from '@sluice/admission/bad-signatures';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';
import { createShardsAllowed, type ShardsAllowedDeps } from '../gate/shards-allowed.ts';
import type { AddressGuard } from '../verify/address-guard.ts';
import { allLanes } from './all-lanes.ts';
import { createLane, type Lane, type LaneDeps } from './lane.ts';

export interface OpenLanesDeps
  extends Pick<LaneDeps, 'config' | 'logger' | 'onActions' | 'onRefusals' | 'onMoved' | 'onLostWrites'>,
    Pick<ShardsAllowedDeps, 'onRefused'> {
  readonly redis: Redis;
  readonly shards: Shards;
  /** One for each shard. */
  readonly replicaWaits: readonly ReplicaWait[];
  readonly guard: AddressGuard;
}

/** Opens the path into every shard. With one shard it returns that shard's lane, so that requests pass no further code. */
export function openLanes(deps: OpenLanesDeps): Lane {
  const { config, redis, shards, replicaWaits, guard, logger, onRefused } = deps;
  const { onActions, onRefusals, onMoved, onLostWrites } = deps;
  const allowed = createShardsAllowed({ redis, config, onRefused });
  const shared = {
    ...{ config, redis, logger, allowed, lanes: shards.count },
    onActions,
    onRefusals,
    onMoved,
    onLostWrites,
  };
  const lanes = shards.all.map((keyspace, shard) =>
    createLane({ ...shared, keyspace, replicaWait: replicaWaits[shard] as ReplicaWait }),
  );
  if (lanes.length === 1) return lanes[0] as Lane;
  const perMinute = config.BAD_SIGNATURES_PER_MINUTE;
  const count = createCountBadSignature({ redis, keyspace: shards.first, perMinute });
  return allLanes({ lanes, shards, onBadSignature: (address) => void note({ count, guard }, address) });
}

/** Without shard 0 no address is blocked: wrong signatures get 401 instead of 429. Right ones are accepted anyway. */
async function note(
  { count, guard }: { readonly count: CountBadSignature; readonly guard: AddressGuard },
  address: string,
): Promise<void> {
  const countedMs = Date.now();
  if (await count(address, countedMs).catch(() => false)) guard.block(address, countedMs, Date.now());
}
