import { expect } from 'chai';
import { isWarning } from './is-warning.ts';
import type { ServiceProcess } from './service-process.ts';

/** The log of a service, one parsed line each. */
export type Logged = Pick<ServiceProcess, 'log'>;

/** Thrown if requests failed because the machine was busy. The test then proves nothing, in either direction. */
class MachineWasLate extends Error {
  override readonly name = 'MachineWasLate';
}

/**
 * Redis has one second for a response, a request 1.2. A rejection after this time was caused by waiting for one of
 * them.
 */
export const WAITED_MS = 900;

/**
 * The log lines which report that Redis was late, although no test touched it. A closed gate counts only before the
 * process stops: afterwards the stop itself closes it.
 */
function linesOfLateness(services: readonly Logged[]): readonly Record<string, unknown>[] {
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

/** Prints the warnings of the services, which may explain the rejections. */
export function printRefusals(refusals: unknown, services: readonly Logged[]): void {
  const warnings = services.flatMap(({ log }) => log.filter(isWarning));
  process.stderr.write(`${JSON.stringify({ refusals, warnings: warnings.slice(0, 20) }, null, 1)}\n`);
}

/**
 * Expects a 200 for every request. Otherwise it prints the services' warnings, and throws MachineWasLate if the
 * services report that Redis was late.
 */
export function expectAllAccepted(
  answers: readonly (number | 'broken')[],
  services: readonly Logged[],
): void {
  const statuses = new Map<number | 'broken', number>();
  for (const answer of answers) statuses.set(answer, (statuses.get(answer) ?? 0) + 1);
  if (statuses.get(200) !== answers.length) {
    printRefusals([...statuses], services);
    const late = linesOfLateness(services);
    if (late.length > 0) throw new MachineWasLate(JSON.stringify(late.slice(0, 5)));
  }
  expect(Object.fromEntries(statuses)).to.deep.equal({ 200: answers.length });
}

/** A test that runs again, at most `runsAfterALateOne` times, if the machine was late, and for no other reason. */
export function itWhenInTime(guarantee: string, runsAfterALateOne: number, run: () => Promise<void>): void {
  it(guarantee, async function () {
    this.retries(runsAfterALateOne);
    await run().catch((error) => {
      if (!(error instanceof MachineWasLate)) this.retries(0);
      throw error;
    });
  });
}
