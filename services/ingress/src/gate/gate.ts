import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyWatch } from '@sluice/accounts/keys/watch-key';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Redis } from 'ioredis';

/** Why no request can be accepted now. */
export const CLOSED_REASONS = [
  'starting',
  'redis_away',
  'redis_nearly_full',
  // Fewer replicas are in step than REDIS_WAIT_REPLICAS asks for.
  'too_few_replicas',
  // The clock of this process and that of Redis differ by more than CLOCK_OFF_MS.
  'clock',
  'draining',
  // This reason concerns the process, not a shard: see keyedGate.
  'unknown_key',
] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

/**
 * The groups that waited in each queue at the last poll, as a share of the shard's limit. Above 1, requests that need the
 * queue get 503.
 */
export interface Fullness {
  readonly actions: number;
  readonly refusals: number;
}

export interface Gate {
  /** null: open. */
  closed(): ClosedReason | null;
  /** The reasons of all closed shards. Others may be open. */
  reasons(): readonly ClosedReason[];
  /** The backlog is at its limit: new actions are rejected, and rejections are still logged. */
  backlogFull(): boolean;
  /** The groups of actions that waited or were being applied at the last poll. */
  backlog(): number;
  /** With several shards: of the fullest one. */
  fullness(): Fullness;
  /** Accepts no further requests. */
  drain(): void;
  stop(): void;
}

/** The state of Redis, polled about twice a second instead of for each request. */
export interface Vitals {
  readonly usedMemory: number;
  /** 0: no limit. */
  readonly maxMemory: number;
  /** Replicas of Redis that are online. */
  readonly replicas: number;
  /** How far the clock of this process is ahead of Redis's or behind it. Milliseconds, at least. */
  readonly clockOffMs: number;
  readonly backlog: { readonly actions: number; readonly refusals: number };
}

export interface GateDeps {
  readonly redis: Pick<Redis, 'status'>;
  /** Rejects if Redis does not respond before its timeout. */
  readonly readVitals: () => Promise<Vitals>;
  readonly backlogLimit: number;
  readonly memoryLimitPercent: number;
  /** Replicas that must have an action before its sender gets a 200. */
  readonly replicasWanted: number;
  readonly onChange: (closed: ClosedReason | null) => void;
  /** Called when the backlog becomes full, and when it has room again. */
  readonly onBacklogChange: (full: boolean) => void;
  /** The same for the rows of rejected requests. */
  readonly onRefusalsChange: (full: boolean) => void;
  /** Called once for each error reply of Redis. The connection reports its absence. */
  readonly onRefused: (error: Error) => void;
}

/** A Cluster's reply about a shard that moves, or has just moved, to another server. */
const MOVING = /^(MOVED|ASK|TRYAGAIN) /;

/**
 * Timestamps of senders may be 300 s off. A process with a wrong clock would reject all of them with a 400, which senders
 * must not repeat. Milliseconds.
 */
const CLOCK_OFF_MS = MINUTE_MS;

const INTERVAL_MS = 500;

/** The reason `starting` ends after this time, even if no poll has succeeded. */
const STARTING_MS = 5000;

/** A closed gate polls more often, to notice at once that Redis is back. */
const INTERVAL_CLOSED_MS = 100;

/**
 * Rejects requests before they can be lost or hang. A full Redis would stop the workers too, so the ingress stops first,
 * at a watermark. A frozen Redis is noticed by its missing response.
 */
export function createGate(deps: GateDeps): Gate {
  let reason: ClosedReason | null = 'starting';
  const backlogFull = createNoted(deps.onBacklogChange);
  const refusalsFull = createNoted(deps.onRefusalsChange);
  let waiting = { actions: 0, refusals: 0 };
  let draining = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let told: string | undefined;
  const startedAt = performance.now();
  const limit = Math.max(1, deps.backlogLimit);

  const judge = ({ usedMemory, maxMemory, replicas, clockOffMs }: Vitals): ClosedReason | null => {
    if (maxMemory > 0 && usedMemory >= (maxMemory * deps.memoryLimitPercent) / 100)
      return 'redis_nearly_full';
    if (replicas < deps.replicasWanted) return 'too_few_replicas';
    return clockOffMs > CLOCK_OFF_MS ? 'clock' : null;
  };

  const tell = (error: Error): void => {
    if (error.name !== 'ReplyError' || error.message === told || MOVING.test(error.message)) return;
    told = error.message;
    deps.onRefused(error);
  };

  const look = async (): Promise<void> => {
    const before = reason;
    try {
      const vitals = await deps.readVitals();
      waiting = vitals.backlog;
      backlogFull.note(waiting.actions > deps.backlogLimit);
      refusalsFull.note(waiting.refusals > limit);
      reason = judge(vitals);
      told = undefined;
    } catch (error) {
      if (reason !== 'starting' || performance.now() - startedAt > STARTING_MS) reason = 'redis_away';
      if (error instanceof Error) tell(error);
    }
    if (reason !== before) deps.onChange(reason);
    if (!stopped) timer = setTimeout(() => void look(), reason === null ? INTERVAL_MS : INTERVAL_CLOSED_MS);
  };
  void look();

  const closed = (): ClosedReason | null => {
    if (draining) return 'draining';
    return reason ?? (deps.redis.status === 'ready' ? null : 'redis_away');
  };
  return {
    closed,
    reasons: () => [closed()].filter((why) => why !== null),
    backlogFull: backlogFull.is,
    backlog: () => waiting.actions,
    fullness: () => ({ actions: waiting.actions / limit, refusals: waiting.refusals / limit }),
    drain() {
      draining = true;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** A fact that is false at first. Calls `onChange` whenever it becomes another. */
function createNoted(onChange: (is: boolean) => void): { is(): boolean; note(now: boolean): void } {
  let known = false;
  return {
    is: () => known,
    note(now) {
      if (now === known) return;
      known = now;
      onChange(now);
    },
  };
}

/** The state of a gate, as probes, metrics and the dashboard show it. */
type GateState = Pick<Gate, 'closed' | 'reasons' | 'backlogFull' | 'fullness'>;

/**
 * The gate with one more reason: the keys of this process open no source's secret. Then a deployment must not continue.
 * Requests get 503 in that case anyway, because their sources cannot be opened.
 */
export function keyedGate(gate: GateState, key: Pick<KeyWatch, 'trouble'>): GateState {
  return {
    closed: () => gate.closed() ?? key.trouble(),
    reasons: () => [...new Set([...gate.reasons(), key.trouble()])].filter((why) => why !== null),
    backlogFull: () => gate.backlogFull(),
    fullness: () => gate.fullness(),
  };
}

export interface FirstLookDeps {
  readonly gate: Pick<Gate, 'closed'>;
  readonly redis: Pick<Redis, 'status' | 'once' | 'off'>;
  /** The longest wait for a Redis that accepts a connection and does not respond. Milliseconds; default 5,000. */
  readonly withinMs?: number;
}

const FIRST_LOOK_WITHIN_MS = 5_000;
const FIRST_LOOK_EVERY_MS = 10;

/**
 * Resolves after the first poll of Redis, or once Redis is known to be away. A replica that listened earlier would respond
 * with 503 to requests that another replica on the same port could accept.
 */
export async function firstLook({
  gate,
  redis,
  withinMs = FIRST_LOOK_WITHIN_MS,
}: FirstLookDeps): Promise<void> {
  const deadline = performance.now() + withinMs;
  let away = redis.status === 'reconnecting' || redis.status === 'close' || redis.status === 'end';
  const onClose = () => {
    away = true;
  };
  redis.once('close', onClose);
  while (!away && gate.closed() === 'starting' && performance.now() < deadline)
    await sleep(FIRST_LOOK_EVERY_MS);
  redis.off('close', onClose);
}
