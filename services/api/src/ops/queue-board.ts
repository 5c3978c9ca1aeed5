import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { QueueStates } from '@sluice/queue/queue-states';
import type { RequestHandler, Router } from 'express';
import { refuse } from '../http/result.ts';
import { sendRefusal } from '../http/send.ts';
import type { Authenticate } from '../session/authenticate.ts';

const PATH = '/ops/queues';

/** Jobs hold what senders sent, of all accounts: only whoever runs the installation sees them. */
const NOT_OPERATOR = refuse(
  'forbidden',
  'The queues hold the jobs of all accounts: only an operator may look at them.',
);

/** Bull Board, read only, behind the dashboard's sign-in. */
export function queueBoard(
  router: Router,
  authenticate: Authenticate,
  { queues }: Pick<QueueStates, 'queues'>,
): void {
  const adapter = new ExpressAdapter();
  adapter.setBasePath(PATH);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Sluice queues' } },
  });
  const guard: RequestHandler = async (request, response, next) => {
    const who = await authenticate(request, response);
    if ('outcome' in who) return sendRefusal(response, who);
    if (!who.user.operator) return sendRefusal(response, NOT_OPERATOR);
    // Its page carries its configuration and styles inline.
    const policy =
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; frame-ancestors 'none'";
    response.setHeader('content-security-policy', policy);
    next();
  };
  router.use(PATH, guard, adapter.getRouter());
}
