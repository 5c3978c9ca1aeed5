import type { Pace } from '@sluice/runtime/process/sparing-heap';

/** Nobody waits for a worker as a sender does for its answer, so it may collect at full load too: 145 MiB instead of 200. */
export const WORKER_PACE: Pace = { growths: [40, 70, 0], tooOftenMs: 300, rarelyMs: 1_000 };
