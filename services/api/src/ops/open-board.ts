import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { QueueStates } from '@sluice/queue/queue-states';
import type { Express } from 'express';

/** Creates Bull Board as a read-only Express application under `path`. */
export function openBoard(path: string, { queues }: Pick<QueueStates, 'queues'>): Express {
  const adapter = new ExpressAdapter();
  adapter.setBasePath(path);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Sluice queues' } },
  });
  return adapter.getRouter();
}
