import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { QueueStates } from '@sluice/queue/queue-states';
import type { Express, RequestHandler, Response, Router } from 'express';
import { refuse } from '../http/result.ts';
import { sendRefusal } from '../http/send.ts';
import type { Authenticate } from '../session/authenticate.ts';

const PATH = '/ops/queues';

/** Jobs hold what senders sent, of all accounts: only whoever runs the installation sees them. */
const NOT_OPERATOR = refuse(
  'forbidden',
  'The queues hold the jobs of all accounts: only an operator may look at them.',
);

const READ_ONLY = refuse(
  'method_not_allowed',
  'Bull Board only shows the queues here. Dead letters are under Ops.',
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
  const board: Express = adapter.getRouter();
  const guard: RequestHandler = async (request, response, next) => {
    const who = await authenticate(request, response);
    if ('outcome' in who) return sendRefusal(response, who);
    if (!who.user.operator) return sendRefusal(response, NOT_OPERATOR);
    // Its own read-only mode leaves some of its routes open, and later versions may have more of them.
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendRefusal(response, READ_ONLY);
    }
    // Its page carries its configuration and styles inline.
    const policy =
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; frame-ancestors 'none'";
    response.setHeader('content-security-policy', policy);
    renderWithoutFonts(board, response, next);
    next();
  };
  router.use(PATH, guard, board);
}

const FOREIGN_STYLE = /<link[^>]+href="https?:[^>]*>/g;

/** Its page asks another host for a font, which the policy forbids: it is sent without, and looks as before. */
function renderWithoutFonts(board: Express, response: Response, onError: (error: unknown) => void): void {
  response.render = (view: string, params?: object) =>
    board.render(view, params, (error: unknown, html?: string) => {
      if (html === undefined) onError(error);
      else response.send(html.replace(FOREIGN_STYLE, ''));
    });
}
