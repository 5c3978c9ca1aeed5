import type { Redis } from 'ioredis';

type Call = (...args: unknown[]) => Promise<unknown>;

/** Counts how often a script is sent. `instead` answers in its place. A script is defined again for the next test. */
export function countCalls(redis: Redis, script: string, instead?: Call): () => number {
  const scripts = redis as unknown as Record<string, Call>;
  const send = (scripts[script] as Call).bind(redis);
  let calls = 0;
  scripts[script] = (...args) => {
    calls += 1;
    return (instead ?? send)(...args);
  };
  return () => calls;
}
