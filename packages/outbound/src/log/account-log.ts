import type { Shards } from '@sluice/redis/shards/shards';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';
import { CONFIRM, GIVE_UP, REGISTER } from './account-log.lua.ts';

/** Consecutive numbers of the log of an account. Readers stop below an open batch, for 10 s at most. */
export interface LogBatch {
  readonly first: number;
  readonly count: number;
}

export type Registered =
  /** Insert changes with these numbers, then confirm them. `version`: of the list of subscriptions. */
  | { readonly status: 'open'; readonly version: string; readonly batch: LogBatch }
  /** The account has neither a subscription nor a reply URL. */
  | { readonly status: 'nobody' }
  /** A subscription is being changed. */
  | { readonly status: 'fenced'; readonly waitMs: number }
  /** The subscriptions of the account are not published in this run of Redis. */
  | { readonly status: 'absent' };

export type Confirmed =
  | { readonly status: 'confirmed' }
  /** The list of subscriptions has changed since, or a batch was given up. All of them are given up now. */
  | { readonly status: 'stale' | 'late' }
  /** Another process still inserts some of the changes, and was first. The batches are given up, so that it goes on. */
  | { readonly status: 'older' }
  /** Another process still inserts some of the changes, and was later. The batches stay open. */
  | { readonly status: 'younger' }
  /** Readers may have passed these changes of others. The batches stay open. */
  | { readonly status: 'unsafe'; readonly numbers: readonly number[] };

export interface AccountLog {
  /** Gives numbers to a batch of `count` changes. */
  register(accountId: string, count: number): Promise<Registered>;
  /** Readers pass the batches. Whoever publishes their changes moves them to other numbers. */
  giveUp(accountId: string, batches: readonly LogBatch[]): Promise<void>;
  /**
   * All changes of the batches are inserted. `others`: numbers of those that other processes had inserted. After `confirmed` no reader
   * misses any of them.
   */
  confirm(
    accountId: string,
    version: string,
    batches: readonly LogBatch[],
    others: readonly number[],
  ): Promise<Confirmed>;
}

interface LogCommands {
  sluiceLogRegister(key: string, ...args: (string | number)[]): Promise<[string, string | number, string]>;
  sluiceLogGiveUp(key: string, ...args: (string | number)[]): Promise<null>;
  sluiceLogConfirm(key: string, ...args: (string | number)[]): Promise<[string, ...string[]]>;
}

export interface AccountLogDeps {
  readonly redis: Redis;
  readonly shards: Shards;
}

export function createAccountLog({ redis, shards }: AccountLogDeps): AccountLog {
  const commands = withScripts<LogCommands>(redis, {
    sluiceLogRegister: REGISTER,
    sluiceLogConfirm: CONFIRM,
    sluiceLogGiveUp: GIVE_UP,
  });
  return {
    async register(accountId, count) {
      const { prefix, subscriptions } = shards.of(accountId);
      const args = [prefix, accountId, count];
      const [status, value, first] = await commands.sluiceLogRegister(subscriptions(accountId), ...args);
      switch (status) {
        case 'open':
          return { status, version: String(value), batch: { first: Number(first), count } };
        case 'fenced':
          return { status, waitMs: Number(value) };
        case 'nobody':
          return { status };
        default:
          return { status: 'absent' };
      }
    },
    async giveUp(accountId, batches) {
      const { prefix, subscriptions } = shards.of(accountId);
      await commands.sluiceLogGiveUp(subscriptions(accountId), prefix, accountId, ...batches.map(nameOf));
    },
    async confirm(accountId, version, batches, others) {
      const { prefix, subscriptions } = shards.of(accountId);
      const named = batches.map(nameOf);
      const args = [prefix, accountId, version, named.length, ...named, ...others];
      const [status, ...numbers] = await commands.sluiceLogConfirm(subscriptions(accountId), ...args);
      return status === 'unsafe'
        ? { status, numbers: numbers.map(Number) }
        : { status: status as Exclude<Confirmed['status'], 'unsafe'> };
    },
  };
}

const nameOf = ({ first, count }: LogBatch): string => `${first}:${count}`;
