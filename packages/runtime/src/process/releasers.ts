import type { Logger } from '../telemetry/logger.ts';
import { within } from './within.ts';

export type Release = () => Promise<unknown> | unknown;

/** What became of a release: the names of what overran its deadline and of what failed. */
export interface ReleaseReport {
  readonly clean: boolean;
  readonly overran: readonly string[];
  readonly failed: readonly string[];
}

/** Thrown by a release that came to its end by force. The message says what was killed, so the log needs no stack. */
export class UncleanRelease extends Error {}

export interface Releasers {
  /** Registers the undo of what was just acquired. */
  push(name: string, release: Release, options?: { readonly deadlineMs?: number }): void;
  /** Undoes everything, last acquired first; a second call gets the report of the first. */
  release(): Promise<ReleaseReport>;
}

const DEADLINE_MS = 5000;

/**
 * Undo where you acquire. Each release has a deadline of its own, so that one that hangs
 * (closing a BullMQ worker with Redis down never returns) cannot keep the others, or the exit, waiting.
 */
export function createReleasers({
  logger,
  deadlineMs = DEADLINE_MS,
}: {
  logger: Logger;
  deadlineMs?: number;
}): Releasers {
  const stack: { name: string; release: Release; deadlineMs: number }[] = [];
  let report: Promise<ReleaseReport> | undefined;

  async function releaseAll(): Promise<ReleaseReport> {
    const overran: string[] = [];
    const failed: string[] = [];
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      const { name } = entry;
      try {
        const inTime = await within(entry.deadlineMs, run(entry.release), () => false);
        if (inTime) continue;
        overran.push(name);
        logger.warn(
          { resource: name, deadline_ms: entry.deadlineMs },
          'not released in time; going on without',
        );
      } catch (error) {
        failed.push(name);
        if (error instanceof UncleanRelease) logger.warn({ resource: name }, error.message);
        else logger.error({ resource: name, err: error }, 'release failed');
      }
    }
    return { clean: overran.length === 0 && failed.length === 0, overran, failed };
  }

  return {
    push: (name, release, options) =>
      void stack.push({ name, release, deadlineMs: options?.deadlineMs ?? deadlineMs }),
    release: () => (report ??= releaseAll()),
  };
}

/** An async function, so that a release that throws at once rejects. */
async function run(release: Release): Promise<true> {
  await release();
  return true;
}
