/** How much of what jobs carry is held at a time. */
export interface Weighing {
  /** How much a job carries, whatever was written into it. */
  readonly weightOf: (data: unknown) => number;
  /** About so much in all jobs that are held together. */
  readonly held: number;
}

/** How many jobs may be held, by what the last ones carried. */
export interface JobAllowance {
  saw(data: unknown): void;
  jobs(): number;
}

/** The part of a new job in what one carries about: some twenty jobs later what came before is forgotten. */
const NEWEST_PART = 0.1;

/**
 * What is held for longer than it takes V8 to fill its young generation twice moves to the old space, and is then
 * collected at twenty times the price. BullMQ takes jobs one after the other and begins none meanwhile, so that what
 * they carry is known too late to stop at: that the next carry about as much as the last is near enough.
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
