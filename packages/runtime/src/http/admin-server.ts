import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemBody } from '@sluice/contract/problem/problem';
import type { Logger } from '../telemetry/logger.ts';
import { type Metrics, writeMetrics } from '../telemetry/metrics.ts';
import { createTimedServer } from './http-server.ts';
import { listen } from './listen.ts';
import { type Check, createReadiness, type Readiness } from './readiness.ts';
import { shareLook } from './shared-look.ts';

export interface AdminServerSettings {
  readonly port: number;
  readonly host: string;
  /** The variable that sets the port, for the message when it is taken. */
  readonly variable?: string;
  /** See ReadinessSettings. */
  readonly checks?: Readonly<Record<string, Check>>;
  readonly knownChecks?: Readonly<Record<string, () => void>>;
  /** Milliseconds that one check may take. Default: CHECK_TIMEOUT_MS. */
  readonly checkTimeoutMs?: number;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'> & Partial<Pick<Metrics, 'json'>>;
  readonly logger: Logger;
}

export interface AdminServer {
  readonly url: string;
  readonly port: number;
  /** Makes /readyz answer 503 from now on, so that no new work is sent here. */
  setDraining(): void;
  /** Returns each check of /readyz with `ok`, or why not. */
  look(): Promise<Readonly<Record<string, string>>>;
  /** Returns why /readyz answers 503; null: it answers 200. A process reports the same in its heartbeat. */
  trouble(): Promise<string | null>;
  close(): Promise<void>;
}

/** The message that a started process sends to the launcher. */
export interface AdminReport {
  readonly type: 'sluice:admin';
  readonly url: string;
}

const BASE = 'http://admin';

/** Serves /livez (and /healthz), /readyz, /metrics and /metrics.json on a separate port. */
export async function startAdminServer(settings: AdminServerSettings): Promise<AdminServer> {
  const { logger } = settings;
  const readiness = createReadiness(settings);
  const routes = routesOf(settings, readiness);
  const server = createTimedServer((request, response) => void respond(request, response));
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // An unreadable path such as `//` gets 404. Without the check it would end the process.
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

  // Exclusive, because under node:cluster every replica's listen(0) would get the same port.
  const { port, host, variable = 'the admin port' } = settings;
  const address = await listen({ server, port, host, variable, exclusive: true });
  reportToLauncher(address.url);
  return {
    ...address,
    setDraining: () => readiness.setDraining(),
    look: async () => (await readiness.check()).checks,
    async trouble() {
      const { ready, checks } = await readiness.check();
      return ready ? null : troubleIn(checks);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function troubleIn(checks: Readonly<Record<string, string>>): string {
  return Object.entries(checks)
    .filter(([, state]) => state !== 'ok')
    .map(([name, state]) => (name === state ? name : `${name}: ${state}`))
    .join('; ');
}

type Route = (query: URLSearchParams) => Promise<Answer> | Answer;

function routesOf({ metrics }: AdminServerSettings, readiness: Readiness): Record<string, Route> {
  const livez = () => text(200, 'ok\n');
  const metricsText = shareLook({ look: () => metrics.text() });
  const routes: Record<string, Route> = {
    '/livez': livez,
    '/healthz': livez,
    '/readyz': async (query) => readyAnswer(await readiness.check(), query.has('verbose')),
    '/metrics': async () => ({ status: 200, type: metrics.contentType, body: await metricsText() }),
  };
  const { json: metricsJson } = metrics;
  if (metricsJson !== undefined) {
    const look = shareLook({ look: async () => writeMetrics(await metricsJson()) });
    routes['/metrics.json'] = async () => ({ status: 200, type: JSON_TYPE, body: await look() });
  }
  return routes;
}

function reportToLauncher(url: string): void {
  const report: AdminReport = { type: 'sluice:admin', url };
  // The `disconnect` event reports a launcher that is gone.
  if (process.connected) process.send?.(report, () => {});
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const text = (status: number, body: string): Answer => ({ status, type: 'text/plain; charset=utf-8', body });
const JSON_TYPE = 'application/json';
const json = (status: number, body: unknown, type = JSON_TYPE): Answer => ({
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
