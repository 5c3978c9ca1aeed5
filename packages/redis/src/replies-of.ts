import type { ChainableCommander } from 'ioredis';

/** The replies of a pipeline's commands, in their order. Rejects if a command failed. */
export async function repliesOf(pipeline: ChainableCommander): Promise<unknown[]> {
  const replies = (await pipeline.exec()) ?? [];
  for (const [error] of replies) if (error !== null) throw error;
  return replies.map(([, reply]) => reply);
}
