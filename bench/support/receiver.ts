import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Measured, orEnded, startProgram } from './processes.ts';

/** Messages since the last reset. Times are milliseconds. */
export interface ReceiverReport {
  /** Different messages. */
  readonly received: number;
  /** With repeated ones. */
  readonly requests: number;
  /** From the change to the first byte at the receiver. */
  readonly sinceKept: readonly number[];
  /** From the admission of the request, before its 200, to the first byte at the receiver. */
  readonly sinceAdmitted: readonly number[];
}

export interface BenchReceiver extends Measured {
  ask(order: 'count' | 'report' | 'reset'): Promise<ReceiverReport>;
}

/** If nothing arrives for this long, something is lost or stuck. */
const STALL_MS = 60_000;
const LOOK_MS = 10;

/** Starts bench/programs/receiver.ts. A dead one reads requests and never responds. */
export async function startBenchReceiver({ dead = false } = {}): Promise<BenchReceiver> {
  const { child, ...running } = await startProgram('receiver', { ...(dead && { DEAD: '1' }) });
  return {
    ...running,
    async ask(order) {
      const said = orEnded('the receiver', child, (signal) => once(child, 'message', { signal }));
      child.send(order);
      return (await said)[0] as ReceiverReport;
    },
  };
}

/** Resolves to the time when the receiver has got this many messages. Throws if it got more, or if nothing arrives. */
export async function waitReceived(receiver: BenchReceiver, count: number): Promise<number> {
  let last = -1;
  let movedAt = performance.now();
  for (;;) {
    const { received } = await receiver.ask('count');
    if (received > count) throw new Error(`${received} messages arrived, of ${count} that were sent`);
    if (received === count) return performance.now();
    if (received !== last) [last, movedAt] = [received, performance.now()];
    if (performance.now() - movedAt > STALL_MS) throw new Error(`${received} of ${count} messages arrived`);
    await sleep(LOOK_MS);
  }
}
