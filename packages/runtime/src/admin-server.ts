import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemBody } from '@sluice/contract/problem';
import { createTimedServer } from './http-server.ts';
import { listen } from './listen.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { type Check, createReadiness } from './readiness.ts';

export interface AdminServerSettings {
  readonly port: number;
  readonly host: string;
  /** The variable that sets the port, for the message when it is taken. */
  readonly variable?: string;
  readonly checks: Readonly<Record<string, Check>>;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'> & Partial<Pick<Metrics, 'json'>>;
  readonly logger: Logger;
}

export interface AdminServer {
  readonly url: string;
  readonly port: number;
  /** From now on /readyz says 503, so that no new work is sent here. */
  setDraining(): void;
  close(): Promise<void>;
}

/** What a started process tells the launcher about itself. */
export interface AdminReport {
  readonly type: 'sluice:admin';
  readonly url: string;
}

const BASE = 'http://admin';

/** Serves /livez (and /healthz), /readyz, /metrics and /metrics.json on a port of its own. */
export async function startAdminServer(settings: AdminServerSettings): Promise<AdminServer> {
  const { metrics, logger } = settings;
  const readiness = createReadiness({ checks: settings.checks, logger });
  const routes: Record<string, (query: URLSearchParams) => Promise<Answer> | Answer> = {
    '/livez': () => text(200, 'ok\n'),
    '/healthz': () => text(200, 'ok\n'),
    '/readyz': async (query) => readyAnswer(await readiness.check(), query.has('verbose')),
    '/metrics': async () => ({ status: 200, type: metrics.contentType, body: await metrics.text() }),
  };
  const { json: metricsJson } = metrics;
  if (metricsJson !== undefined) routes['/metrics.json'] = async () => json(200, await metricsJson());

  const server = createTimedServer((request, response) => void respond(request, response));
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // What cannot be read, such as `//`, is no page: whoever sends it must not end the process.
    const url = request.url ?? '/';
    if (!URL.canParse(url, BASE)) return send(response, notFound());
    const { pathname, searchParams } = new URL(url, BASE);
    const route = routes[pathname];
    try {
      send(response, route === undefined ? notFound() : await route(searchParams));
    } catch (error) {
      logger.error({ err: error, path: pathname }, 'admin request failed');
      send(response, text(500, 'failed; see the log\n'));
    }
  }

  // Exclusive: under node:cluster every replica's listen(0) would otherwise get the same port.
  const { port, host, variable = 'the admin port' } = settings;
  const address = await listen({ server, port, host, variable, exclusive: true });
  reportToLauncher(address.url);
  return {
    ...address,
    setDraining: () => readiness.setDraining(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reportToLauncher(url: string): void {
  const report: AdminReport = { type: 'sluice:admin', url };
  // A launcher that went away meanwhile is noticed by the `disconnect` event.
  if (process.connected) process.send?.(report, () => {});
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const text = (status: number, body: string): Answer => ({ status, type: 'text/plain; charset=utf-8', body });
const json = (status: number, body: unknown, type = 'application/json'): Answer => ({
  status,
  type,
  body: JSON.stringify(body),
});

function readyAnswer(state: { ready: boolean; checks: Record<string, string> }, verbose: boolean): Answer {
  const status = state.ready ? 200 : 503;
  if (verbose) return json(status, { status: state.ready ? 'ready' : 'not ready', checks: state.checks });
  return text(status, state.ready ? 'ready\n' : 'not ready\n');
}

function notFound(): Answer {
  const detail = 'This port serves /livez, /readyz and /metrics.';
  return json(404, problemBody('not_found', detail, 'admin'), 'application/problem+json');
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}
