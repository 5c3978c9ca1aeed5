import type { QueueStates } from '@sluice/queue/queue-states';
import type { Express, RequestHandler, Response, Router } from 'express';
import { markKnownCaller } from '../http/known-caller.ts';
import { refuse } from '../http/result.ts';
import { sendRefusal } from '../http/send.ts';
import type { Authenticate } from '../http/signed-in.ts';

const PATH = '/ops/queues';

/** Jobs contain requests of all accounts, so only operators of the installation may see them. */
const NOT_OPERATOR = refuse(
  'forbidden',
  'The queues contain the jobs of all accounts. Only an operator can view them.',
);

const READ_ONLY = refuse(
  'method_not_allowed',
  'Bull Board is read-only here. Manage dead letters under Ops.',
);

/** Bull Board, read-only, behind the dashboard's sign-in. */
export function queueBoard(
  router: Router,
  authenticate: Authenticate,
  queueStates: Pick<QueueStates, 'queues'>,
): void {
  let opened: Express | undefined;
  // Bull Board loads a second Express and BullMQ, half of the API's start-up time. So it is loaded on first use.
  const open = async () => {
    const { openBoard } = await import('./open-board.ts');
    opened ??= openBoard(PATH, queueStates);
    return opened;
  };
  const handle: RequestHandler = async (request, response, next) => {
    const who = await authenticate(request, response);
    if ('outcome' in who) return sendRefusal(response, who);
    markKnownCaller(response, who.accountId);
    if (!who.user.operator) return sendRefusal(response, NOT_OPERATOR);
    // Bull Board's read-only mode leaves some routes open, and later versions may add more.
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendRefusal(response, READ_ONLY);
    }
    // The page of Bull Board has inline configuration and styles.
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

/** Removes Bull Board's link to a font on another host. The policy blocks it anyway, so the page looks the same. */
function renderWithoutFonts(board: Express, response: Response, onError: (error: unknown) => void): void {
  response.render = (view: string, params?: object) =>
    board.render(view, params, (error: unknown, html?: string) => {
      if (html === undefined) onError(error);
      else response.send(html.replace(FOREIGN_STYLE, ''));
    });
}
