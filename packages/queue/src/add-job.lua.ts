import { createRequire } from 'node:module';
import { JOB_OPTIONS, type QueueName } from './catalog.ts';
import { JOB_NAME } from './producer.ts';

const { addStandardJob } = createRequire(import.meta.url)(
  'bullmq/dist/cjs/scripts/addStandardJob-9.js',
) as typeof import('bullmq/dist/esm/scripts/addStandardJob-9.js');

/** Lets a Lua script of Sluice add a job to a queue. */
export interface JobTarget {
  /** The keys of BullMQ's own script, in its order. All lie in one slot of a Redis Cluster. */
  readonly keys: readonly string[];
  /** The prefix of the keys of the queue's jobs. */
  readonly jobPrefix: string;
  /** The job's options as JSON. */
  readonly options: string;
}

/** The order of BullMQ's script addStandardJob. A test compares our job with one that BullMQ added. */
const KEYS = ['wait', 'paused', 'meta', 'id', 'completed', 'delayed', 'active', 'events', 'marker'];

/** The queue must have been opened once (see producer.ts), because BullMQ stores its settings in it. */
export function jobTarget(queue: QueueName, prefix: string): JobTarget {
  const jobPrefix = `${prefix}:${queue}:`;
  return {
    keys: KEYS.map((key) => jobPrefix + key),
    jobPrefix,
    options: JSON.stringify({ ...JOB_OPTIONS[queue], attempts: 0 }),
  };
}

/**
 * Lua: `add_job(keys, job_prefix, options, now_ms, data)`, for scripts that admit and enqueue in one step. It returns the job's
 * id, which BullMQ counts up.
 * It wraps BullMQ's own script, so the queue stays BullMQ's in every detail. Only the name and the arguments are ours.
 */
export const ADD_JOB_LUA = `
local function add_standard_job(KEYS, ARGV)
${addStandardJob.content}
end

local function add_job(keys, job_prefix, options, now_ms, data)
  local arguments = cmsgpack.pack({ job_prefix, '', '${JOB_NAME}', now_ms })
  return add_standard_job(keys, { arguments, data, cmsgpack.pack(cjson.decode(options)) })
end
`;
