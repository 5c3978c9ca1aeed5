/** Cost of one action in each part. Microseconds of CPU time. */
export interface Costs {
  readonly ingress: number;
  readonly redis: number;
  readonly worker: number;
  readonly store: number;
}

export interface Machines {
  readonly cores: number;
  /** Redis processes that share the work. Each uses at most one core. */
  readonly redis: number;
  /** Processes of the store. Each uses at most one core. Infinity for a store that uses every core. */
  readonly stores: number;
}

export interface Load {
  readonly actionsPerSecond: number;
  /** The part that is full at that rate, and so needs more capacity first. */
  readonly saturated: 'redis' | 'store' | 'cores';
  /** Cores in use at that rate. */
  readonly coresUsed: number;
  /** Number of processes needed, because each uses at most one core. */
  readonly ingresses: number;
  readonly workers: number;
}

const US_A_SECOND = 1e6;

/** Costs from the first request to the log on Node 26 with the embedded store, as docs/performance.md has them. */
export const NODE_26: Costs = { ingress: 46, redis: 24, worker: 51, store: 48 };

/** Actions/s that one Redis process sustains, because it uses at most one core. */
export function oneRedisCarries({ redis }: Costs): number {
  return US_A_SECOND / redis;
}

/**
 * The rate that machines can sustain, from the cost of an action. It assumes that the cost stays constant (the figure
 * `growth`), that there are enough ingresses and workers, and that sources are spread evenly over the Redis processes.
 * It ignores network and disk.
 */
export function carries(costs: Costs, { cores, redis, stores }: Machines): Load {
  const total = costs.ingress + costs.redis + costs.worker + costs.store;
  const limits = [
    ['redis', redis * oneRedisCarries(costs)],
    ['store', (stores * US_A_SECOND) / costs.store],
    ['cores', (cores * US_A_SECOND) / total],
  ] as const;
  const [saturated, actionsPerSecond] = limits.reduce((a, b) => (b[1] < a[1] ? b : a));
  const processes = (cost: number) => Math.ceil((actionsPerSecond * cost) / US_A_SECOND);
  return {
    actionsPerSecond,
    saturated,
    coresUsed: (actionsPerSecond * total) / US_A_SECOND,
    ingresses: processes(costs.ingress),
    workers: processes(costs.worker),
  };
}
