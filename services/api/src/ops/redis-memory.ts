import type { Ops } from '@sluice/contract/dashboard/ops';
import type { Redis } from 'ioredis';

/** How full Redis is; a limit of 0 is none. */
export async function readMemory(redis: Redis): Promise<Ops['redis']> {
  const info = await redis.info('memory');
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { used_bytes: field('used_memory'), max_bytes: field('maxmemory') || null };
}
