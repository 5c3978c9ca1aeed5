import type { Logger } from '../telemetry/logger.ts';
import { within } from '../timing/within.ts';

export type Release = () => Promise<unknown> | unknown;

/** The result of a release: the names of resources that overran their deadline, and of those that failed. */
export interface ReleaseReport {
  readonly clean: boolean;
  readonly overran: readonly string[];
  readonly failed: readonly string[];
}

/** A release throws it when it had to use force. The message names what was killed, so the log needs no stack. */
export class UncleanRelease extends Error {}

export interface Releasers {
  /** Registers how to release the resource that was just acquired. */
  push(name: string, release: Release, options?: { readonly deadlineMs?: number }): void;
  /** Releases everything, last acquired first. A second call returns the report of the first. */
  release(): Promise<ReleaseReport>;
}

const DEADLINE_MS = 5000;

/**
 * Register the release where you acquire the resource. Each release has its own deadline, because some hang: closing a BullMQ
 * worker never returns while Redis is down. Others, and the exit, must not wait for it.
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

/** Turns an error that a release throws at once into a rejection. */
async function run(release: Release): Promise<true> {
  await release();
  return true;
}
