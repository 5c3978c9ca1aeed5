/** Why nothing can be taken just now. */
export const CLOSED_REASONS = [
  'starting',
  'redis_away',
  'redis_nearly_full',
  // Nothing could be confirmed as held by as many replicas as must hold it.
  'too_few_replicas',
  'refusals_backlog',
  'draining',
  // Of this process, and not of a shard: see keyed-gate.ts.
  'unknown_key',
] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

export interface Gate {
  /** null: open. */
  closed(): ClosedReason | null;
  /** Why each shard's is closed that is: some may be where others are open. */
  reasons(): readonly ClosedReason[];
  /** So many groups wait for the workers that no more actions are accepted. Refusals still are. */
  backlogFull(): boolean;
  /** Nothing more is taken from now on. */
  drain(): void;
  stop(): void;
}

/** What is looked at, about twice a second and not for each request. */
export interface Vitals {
  readonly usedMemory: number;
  /** 0: no limit. */
  readonly maxMemory: number;
  /** Replicas of Redis that are in step, or nearly. */
  readonly replicas: number;
  readonly backlog: { readonly actions: number; readonly refusals: number };
}

export interface GateDeps {
  readonly isConnected: () => boolean;
  /** Rejects when Redis does not answer within its time-out. */
  readonly readVitals: () => Promise<Vitals>;
  readonly backlogLimit: number;
  readonly memoryLimitPercent: number;
  /** Replicas that must hold an action before its sender gets a 200. */
  readonly replicasWanted: number;
  readonly onChange: (closed: ClosedReason | null) => void;
  /** Told when the backlog becomes full, and when it has room again. */
  readonly onBacklogChange: (full: boolean) => void;
  /** Told once of each error that Redis itself answered; of its absence the connection tells. */
  readonly onRefused: (error: Error) => void;
}

/** What a Cluster says of a shard that is being moved, or just was, from one of its servers to another. */
const MOVING = /^(MOVED|ASK|TRYAGAIN) /;

const INTERVAL_MS = 500;

/** One that could not be looked at since this process started is not starting any more. */
const STARTING_MS = 5000;

/** Closed, it looks more often: a Redis that is back should be noticed at once. */
const INTERVAL_CLOSED_MS = 100;

/**
 * Refuses work before it can be lost or left hanging: a Redis that is full stops the workers too, so the ingress
 * stops first (performance notes: at a watermark); one that is frozen is noticed by its missing answer.
 */
export function createGate(deps: GateDeps): Gate {
  let reason: ClosedReason | null = 'starting';
  let backlogFull = false;
  let draining = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let told: string | undefined;
  const startedAt = performance.now();

  const judge = ({ usedMemory, maxMemory, replicas, backlog }: Vitals): ClosedReason | null => {
    if (maxMemory > 0 && usedMemory >= (maxMemory * deps.memoryLimitPercent) / 100)
      return 'redis_nearly_full';
    if (replicas < deps.replicasWanted) return 'too_few_replicas';
    return backlog.refusals > deps.backlogLimit ? 'refusals_backlog' : null;
  };

  const tell = (error: Error): void => {
    if (error.name !== 'ReplyError' || error.message === told || MOVING.test(error.message)) return;
    told = error.message;
    deps.onRefused(error);
  };

  const noteBacklog = (full: boolean): void => {
    if (full === backlogFull) return;
    backlogFull = full;
    deps.onBacklogChange(full);
  };

  const look = async (): Promise<void> => {
    const before = reason;
    try {
      const vitals = await deps.readVitals();
      noteBacklog(vitals.backlog.actions > deps.backlogLimit);
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
    return reason ?? (deps.isConnected() ? null : 'redis_away');
  };
  return {
    closed,
    reasons: () => [closed()].filter((why) => why !== null),
    backlogFull: () => backlogFull,
    drain() {
      draining = true;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
