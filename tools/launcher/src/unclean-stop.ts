import type { ReleaseReport } from '@sluice/runtime/process/releasers';

/** The last line of an unclean stop. It names every part, and the consequence for the data. */
export function uncleanStop({ overran, failed }: Pick<ReleaseReport, 'overran' | 'failed'>): string {
  const parts = [...failed, ...overran].join(', ');
  return `stopped, but not cleanly: ${parts} (see above). Accepted actions are safe; the next npm start continues with them.`;
}
