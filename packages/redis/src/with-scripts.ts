import type { Redis } from 'ioredis';

/** A Lua script. A plain text has one key. */
export type Script = string | { readonly lua: string; readonly keys?: number; readonly readOnly?: boolean };

/** Adds Lua scripts to a connection as its commands, and returns it with their types. Each command needs its script. */
export function withScripts<Commands>(
  redis: Redis,
  scripts: { readonly [Name in keyof Commands & string]: Script },
): Commands {
  for (const [name, script] of Object.entries<Script>(scripts)) {
    const { lua, keys = 1, readOnly = false } = typeof script === 'string' ? { lua: script } : script;
    redis.defineCommand(name, { lua, numberOfKeys: keys, readOnly });
  }
  return redis as unknown as Commands;
}
