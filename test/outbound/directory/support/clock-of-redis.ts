import type { Redis } from 'ioredis';

/** A connection whose scripts read their time from a key instead of TIME, so that a test can move it. */
export function withClock(redis: Redis, key: string) {
  const seconds = `math.floor(redis.call('GET', '${key}') / 1000)`;
  const time = `{tostring(${seconds}), tostring((redis.call('GET', '${key}') % 1000) * 1000)}`;
  const clocked = new Proxy(redis, {
    get(target, name) {
      if (name !== 'defineCommand') return Reflect.get(target, name, target);
      return (command: string, { lua, numberOfKeys }: { lua: string; numberOfKeys: number }) =>
        target.defineCommand(command, { numberOfKeys, lua: lua.replaceAll("redis.call('TIME')", time) });
    },
  });
  return {
    redis: clocked,
    now: async () => Number(await redis.get(key)),
    set: async (ms: number) => void (await redis.set(key, ms)),
    advance: (ms: number) => redis.incrby(key, ms),
  };
}
