import type { ChainableCommander } from 'ioredis';

/** What a pipeline's commands answered, in their order. Rejects where one of them failed. */
export async function repliesOf(pipeline: ChainableCommander): Promise<unknown[]> {
  const replies = (await pipeline.exec()) ?? [];
  for (const [error] of replies) if (error !== null) throw error;
  return replies.map(([, reply]) => reply);
}
