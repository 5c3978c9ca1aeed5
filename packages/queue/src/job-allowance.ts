/** Limits how much the prefetched jobs carry together. */
export interface Weighing {
  /** The weight of a job's data, which may be malformed. */
  readonly weightOf: (data: unknown) => number;
  /** The approximate weight of all prefetched jobs together. */
  readonly held: number;
}

/** How many jobs to prefetch, by the weight of recent ones. */
export interface JobAllowance {
  saw(data: unknown): void;
  jobs(): number;
}

/** The share of a new job in the moving average. After some twenty jobs the older ones no longer count. */
const NEWEST_PART = 0.1;

/**
 * V8 moves data to the old space when it lives longer than two fillings of the young generation. Collecting it there costs
 * twenty times as much. BullMQ fetches all jobs before it starts one, so their weight is known too late to stop. The
 * estimate assumes that the next jobs weigh about as much as the last.
 */
export function createJobAllowance(mostJobs: number, weighing: Weighing | undefined): JobAllowance {
  let about = 0;
  return {
    saw(data) {
      if (weighing !== undefined) about += (weighing.weightOf(data) - about) * NEWEST_PART;
    },
    jobs() {
      if (weighing === undefined) return mostJobs;
      return Math.min(mostJobs, Math.max(1, Math.round(weighing.held / Math.max(1, about))));
    },
  };
}
