import { expect } from 'chai';
import { isWarning } from './is-warning.ts';
import type { ServiceProcess } from './service-process.ts';

/** What a service logs, a parsed line each. */
export type Logged = Pick<ServiceProcess, 'log'>;

/** Thrown where requests failed because the machine did other things: what was to be shown is not, one way or the other. */
class MachineWasLate extends Error {
  override readonly name = 'MachineWasLate';
}

/** Redis has a second for an answer, a request 1.2: a refusal that took so long waited for one of them. */
export const WAITED_MS = 900;

/**
 * The lines in which services say that Redis (which nobody touched) was later than they wait for. That the gate closed
 * counts only before a process stops: afterwards it would be the stop's own doing.
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

/** Prints what services have warned of, beside the refusals that it may explain. */
export function tellRefusals(refusals: unknown, services: readonly Logged[]): void {
  const warnings = services.flatMap(({ log }) => log.filter(isWarning));
  process.stderr.write(`${JSON.stringify({ refusals, warnings: warnings.slice(0, 20) }, null, 1)}\n`);
}

/**
 * Was everything answered 200? Where it was not, what the services have warned of is printed. Throws MachineWasLate where
 * the services say that Redis kept them waiting meanwhile.
 */
export function expectAllTaken(answers: readonly (number | 'broken')[], services: readonly Logged[]): void {
  const statuses = new Map<number | 'broken', number>();
  for (const answer of answers) statuses.set(answer, (statuses.get(answer) ?? 0) + 1);
  if (statuses.get(200) !== answers.length) {
    tellRefusals([...statuses], services);
    const late = linesOfLateness(services);
    if (late.length > 0) throw new MachineWasLate(JSON.stringify(late.slice(0, 5)));
  }
  expect(Object.fromEntries(statuses)).to.deep.equal({ 200: answers.length });
}

/** A test that is run again, so many times at most, where the machine was late, and for no other reason. */
export function itWhenInTime(guarantee: string, runsAfterALateOne: number, run: () => Promise<void>): void {
  it(guarantee, async function () {
    this.retries(runsAfterALateOne);
    await run().catch((error) => {
      if (!(error instanceof MachineWasLate)) this.retries(0);
      throw error;
    });
  });
}
