import { until } from '../../support/until.ts';
import { type ComposeService, durationMs } from './compose-file.ts';
import { healthCommand, localCommand, type Placement } from './local-commands.ts';
import { type End, type LocalProcess, runLocal, startLocal } from './local-process.ts';

/** A service of the compose file that runs as a local process. */
export interface LocalService {
  readonly name: string;
  readonly process: LocalProcess;
  /** Its health check, as written in the file: true for exit code 0. */
  healthy(): Promise<boolean>;
  /** Sends its stop signal, and SIGKILL after its grace period. */
  stop(): Promise<End>;
}

export interface LocalServiceSettings {
  readonly name: string;
  readonly service: ComposeService;
  readonly placement: Placement;
  readonly env: Readonly<Record<string, string>>;
}

const HEALTHY_WITHIN_MS = 90_000;

/** Starts the command of a service and waits until its health check passes. */
export async function startLocalService({
  name,
  service,
  placement,
  env,
}: LocalServiceSettings): Promise<LocalService> {
  const check = localCommand(healthCommand(service.healthcheck?.test ?? []), placement);
  const graceMs = durationMs(service.stop_grace_period ?? '10s');
  const running = startLocal({ argv: localCommand(service.command, placement), env });
  const started: LocalService = {
    name,
    process: running,
    healthy: async () => (await runLocal({ argv: check, env })).end === 0,
    stop: () => running.stop(service.stop_signal ?? 'SIGTERM', graceMs),
  };
  try {
    await healthyOrEnded(started);
    return started;
  } catch (error) {
    await running.stop('SIGKILL', 0);
    throw error;
  }
}

async function healthyOrEnded({ name, process: running, healthy }: LocalService): Promise<void> {
  const ended = running.ended.then((end) => {
    throw new Error(`${name} ended with ${end} before it was healthy:\n${running.output()}`);
  });
  const up = until(healthy, { withinMs: HEALTHY_WITHIN_MS, what: `the health check of ${name} passes` });
  // Only the first of the two is reported. The other may fail later, for example when the service is stopped.
  for (const one of [ended, up]) one.catch(() => undefined);
  await Promise.race([ended, up]);
}
