import { expect } from 'chai';
import type { ServiceProcess } from './service-process.ts';

/** The log of a service, one parsed line each. */
type Logged = Pick<ServiceProcess, 'log'>;

/**
 * Redis has one second for a response, a request 1.2. A rejection after this time was caused by waiting for one of
 * them.
 */
const WAITED_MS = 900;

/**
 * Expects a 200 for every request, or a 503 if the services log that Redis was late although no test touched it, as on a
 * busy machine.
 */
export function expectAllAccepted(statuses: readonly unknown[], services: readonly Logged[]): void {
  const others = statuses.filter((status) => status !== 200);
  const wasLate = services.some(isLate);
  expect(others.filter((status) => status !== 503 || !wasLate)).to.deep.equal([]);
}

/** A closed gate counts only before the process stops: afterwards the stop itself closes it. */
function isLate({ log }: Logged): boolean {
  const stopping = log.findIndex(({ msg }) => msg === 'stopping');
  return log.some((line, i) => {
    switch (line.event) {
      case 'request.answered':
        return line.status === 503 && Number(line.duration_ms) >= WAITED_MS;
      case 'gate.changed':
        return line.closed === 'redis_away' && (stopping === -1 || i < stopping);
      case 'probe.late':
        return true;
      default:
        return false;
    }
  });
}
