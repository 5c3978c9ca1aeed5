import type { Redis } from 'ioredis';

/** The only place where a group may be admitted. */
export interface AdmitOnly {
  /** See shard-connection.ts of packages/redis. A Cluster client would follow the shard to another server. */
  readonly connection: Redis;
  /** The run of Redis (see run.lua.ts of packages/redis). '': in any. */
  readonly run: string;
}

/** Differs from every run, so that the admission reports the current one. */
export const UNKNOWN_RUN = '?';

/** Nothing was admitted: the shard is at another server, or its server has begun another run. */
export class ShardMoved extends Error {
  override readonly name = 'ShardMoved';
  /** The current run. Undefined if the shard is at another server. */
  readonly run: string | undefined;

  constructor(run?: string) {
    super('the shard has moved');
    this.run = run;
  }
}

/** Throws the error of an admission on one connection. */
export function throwMoved(error: unknown): never {
  throw error instanceof Error && error.message.startsWith('MOVED ') ? new ShardMoved() : error;
}
