import type { QueueStates } from '@sluice/queue/queue-states';
import type { Express, RequestHandler, Response, Router } from 'express';
import { noteKnownCaller } from '../http/known-caller.ts';
import { refuse } from '../http/result.ts';
import { sendRefusal } from '../http/send.ts';
import type { Authenticate } from '../http/signed-in.ts';

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
  queueStates: Pick<QueueStates, 'queues'>,
): void {
  let opened: Express | undefined;
  // It brings an Express and a BullMQ of its own, half of what an API takes to start: loaded when somebody looks.
  const open = async () => {
    const { openBoard } = await import('./open-board.ts');
    opened ??= openBoard(PATH, queueStates);
    return opened;
  };
  const handle: RequestHandler = async (request, response, next) => {
    const who = await authenticate(request, response);
    if ('outcome' in who) return sendRefusal(response, who);
    noteKnownCaller(response);
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
    const board = await open();
    renderWithoutFonts(board, response, next);
    board(request, response, next);
  };
  router.use(PATH, handle);
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
