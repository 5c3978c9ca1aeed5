import type { Server } from 'node:http';
import { type AdminServer, type AdminServerSettings, startAdminServer } from '../http/admin-server.ts';
import { type CloseServerSettings, closeServer, closingTimes } from '../http/close-server.ts';
import { listen } from '../http/listen.ts';
import { createLogger, type Logger, logConsole } from '../telemetry/logger.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { observeStores } from '../telemetry/store-metrics.ts';
import type { Tracing, TracingConfig, TracingSettings } from '../telemetry/tracing/tracing.ts';
import { watchFiles } from '../telemetry/watch-files.ts';
import { type Refuse, refuseToStart } from './refuse-to-start.ts';
import { createReleasers, type Releasers } from './releasers.ts';
import { stopOnSignal } from './shutdown.ts';

/** The variables that every service reads. */
export interface ServiceConfig {
  readonly HOST: string;
  readonly LOG_LEVEL: string;
  readonly REDIS_URL: string;
  readonly SHUTDOWN_GRACE_SECONDS: number;
  readonly SLUICE_NAMESPACE: string;
}

export interface ServiceSettings<C extends ServiceConfig> {
  readonly name: 'api' | 'dispatcher' | 'ingress' | 'worker';
  readonly config: C;
  /** Absent: the service records no traces. */
  readonly tracing?: TracingConfig;
}

type OpenAdminSettings = Pick<AdminServerSettings, 'port' | 'variable' | 'checks' | 'knownChecks'>;

export interface ServeSettings extends Pick<CloseServerSettings, 'beginDraining' | 'endStreams'> {
  readonly server: Server;
  readonly port: number;
  /** The variable that sets the port, for the message when it is taken. */
  readonly variable: string;
  /** The log event of the open port. */
  readonly event: string;
  /** DRAIN_MS, in milliseconds. */
  readonly drainMs: number;
  readonly admin: Pick<AdminServer, 'setDraining'>;
}

/** A started process. What its verbs open is released when the process stops, last opened first. */
export interface Service<C extends ServiceConfig> {
  readonly config: C;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly releasers: Releasers;
  /** Undefined: no collector is configured. */
  readonly tracing: Tracing | undefined;
  /** Ends the process with code 78: a restart would find the same. `message` says how to fix it. */
  readonly refuse: Refuse;
  /** Opens the admin port. Rejects with a PortRefusedError when the port cannot be used. */
  openAdmin(settings: OpenAdminSettings): Promise<AdminServer>;
  /** Opens the main port. Rejects with a PortRefusedError when the port cannot be used. */
  serve(settings: ServeSettings): Promise<void>;
}

/** Starts what every service has: log, signals, traces and metrics. Call it first in `main.ts`. */
export async function startService<C extends ServiceConfig>({
  name,
  config,
  tracing: tracingConfig,
}: ServiceSettings<C>): Promise<Service<C>> {
  const logger = createLogger({ service: name, level: config.LOG_LEVEL });
  logConsole(logger);
  const releasers = createReleasers({ logger });
  const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1000;
  stopOnSignal({ releasers, logger, graceMs });
  const tracing = tracingConfig && (await startTracing({ service: name, config: tracingConfig, logger }));
  releasers.push('traces', () => tracing?.stop());
  const metrics = createMetrics({ service: name, namespace: config.SLUICE_NAMESPACE });
  const files = watchFiles({ logger });
  releasers.push('watch of files', () => files.stop());

  return {
    config,
    logger,
    metrics,
    releasers,
    tracing,
    refuse: (fields, message) => refuseToStart({ logger, releasers }, fields, message),
    async openAdmin(settings) {
      const admin = await startAdminServer({ ...settings, host: config.HOST, metrics, logger });
      releasers.push('admin server', () => admin.close());
      if (settings.checks !== undefined) observeStores({ metrics, look: admin.look });
      return admin;
    },
    async serve({ server, port, variable, event, drainMs, admin, ...hooks }) {
      const closing = { ...closingTimes({ graceMs, drainMs }), ...hooks };
      releasers.push('server', () => closeServer(server, closing), { deadlineMs: graceMs });
      const { url } = await listen({ server, port, host: config.HOST, variable });
      releasers.push('readiness', () => admin.setDraining());
      logger.info({ event, url }, 'listening');
    },
  };
}

/** Opens tracing; undefined: no collector is configured, and OpenTelemetry is not loaded. */
export async function startTracing(settings: TracingSettings): Promise<Tracing | undefined> {
  const endpoint = settings.config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const { openTracing } = await import('../telemetry/tracing/open-tracing.ts');
  return openTracing({ ...settings, endpoint });
}
