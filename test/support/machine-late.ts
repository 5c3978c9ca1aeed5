import type { ServiceProcess } from './service-process.ts';

/** What a service logs, a parsed line each. */
export type Logged = Pick<ServiceProcess, 'log'>;

/** Thrown where requests failed because the machine did other things: what was to be shown is not, one way or the other. */
export class MachineWasLate extends Error {
  override readonly name = 'MachineWasLate';
}

/** Redis has a second for an answer, a request 1.2: a refusal that took so long waited for one of them. */
const WAITED_MS = 900;

/**
 * The lines in which services say that Redis (which nobody touched) was later than they wait for. That the gate closed
 * counts only before a process stops: afterwards it would be the stop's own doing.
 */
export function linesOfLateness(services: readonly Logged[]): readonly Record<string, unknown>[] {
  return services.flatMap(({ log }) => {
    const stopping = log.findIndex(({ msg }) => msg === 'stopping');
    return log.filter((line, i) => {
      switch (line.event) {
        case 'request.answered':
          return line.status === 503 && Number(line.duration_ms) >= WAITED_MS;
        case 'group.failed':
          return (line.err as { readonly message?: string } | undefined)?.message === 'Command timed out';
        case 'gate.changed':
          return line.closed === 'redis_away' && (stopping === -1 || i < stopping);
        case 'probe.late':
          return true;
        default:
          return false;
      }
    });
  });
}
