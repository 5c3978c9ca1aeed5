/**
 * Installs redis-server if it is missing, because each mocha starts one. Resolves to what the user can do if that fails,
 * else undefined. Needs the compiled launcher: call `checkTypes` first.
 */
export async function whyNoRedis(say) {
  if (process.env.REDIS_URL) return undefined;
  const { provideRedisBinary } = await import('../../tools/launcher/dist/redis-binary.js');
  const found = await provideRedisBinary({ say });
  return found.ok ? undefined : found.detail;
}
