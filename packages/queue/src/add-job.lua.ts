import { createRequire } from 'node:module';
import { JOB_OPTIONS, type QueueName } from './catalog.ts';
import { JOB_NAME } from './producer.ts';

const { addStandardJob } = createRequire(import.meta.url)(
  'bullmq/dist/cjs/scripts/addStandardJob-9.js',
) as typeof import('bullmq/dist/esm/scripts/addStandardJob-9.js');

/** What a script of ours needs in order to put a job into a queue itself. */
export interface JobTarget {
  /** The keys that BullMQ's own script takes, in its order; all in one slot of a Redis Cluster. */
  readonly keys: readonly string[];
  /** What the keys of the queue's jobs begin with. */
  readonly jobPrefix: string;
  /** The job's options as JSON. */
  readonly options: string;
}

/** The order of BullMQ's script addStandardJob. A test holds our job against one that BullMQ has added. */
const KEYS = ['wait', 'paused', 'meta', 'id', 'completed', 'delayed', 'active', 'events', 'marker'];

/** The queue must have been opened once (see producer.ts): BullMQ keeps settings of its own in it. */
export function jobTarget(queue: QueueName, prefix: string): JobTarget {
  const jobPrefix = `${prefix}:${queue}:`;
  return {
    keys: KEYS.map((key) => jobPrefix + key),
    jobPrefix,
    options: JSON.stringify({ ...JOB_OPTIONS[queue], attempts: 0 }),
  };
}

/**
 * Lua: `add_job(keys, job_prefix, options, now_ms, data)`, for scripts that decide in the same step what a job holds.
 * It is BullMQ's own script, so that the queue stays BullMQ's in every detail; only its name and its arguments are ours.
 */
export const ADD_JOB_LUA = `
local function add_standard_job(KEYS, ARGV)
${addStandardJob.content}
end

local function add_job(keys, job_prefix, options, now_ms, data)
  local arguments = cmsgpack.pack({ job_prefix, '', '${JOB_NAME}', now_ms })
  add_standard_job(keys, { arguments, data, cmsgpack.pack(cjson.decode(options)) })
end
`;
