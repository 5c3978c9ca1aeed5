/** What one action costs each part, in microseconds of processor time. */
export interface Costs {
  readonly ingress: number;
  readonly redis: number;
  readonly worker: number;
  readonly store: number;
}

export interface Machines {
  readonly cores: number;
  /** Redis processes that share the work, each on one core at most. */
  readonly redis: number;
  /** Processes of the store, each on one core at most; Infinity for one that uses every core it gets. */
  readonly stores: number;
}

export interface Load {
  readonly actionsPerSecond: number;
  /** What is fully used at that rate, and so has to be added to first. */
  readonly saturated: 'redis' | 'store' | 'cores';
  /** Cores in use at that rate. */
  readonly coresUsed: number;
  /** Processes needed, as each uses one core at most. */
  readonly ingresses: number;
  readonly workers: number;
}

const US_A_SECOND = 1e6;

/**
 * What machines would carry, from what an action costs. It takes for granted that costs an action stay what they are
 * (the figure `growth`), that ingresses and workers may be as many as it takes, and that sources are spread evenly over
 * Redis processes. The network and the disk are not in it.
 */
export function carries(costs: Costs, { cores, redis, stores }: Machines): Load {
  const total = costs.ingress + costs.redis + costs.worker + costs.store;
  const limits = [
    ['redis', (redis * US_A_SECOND) / costs.redis],
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
