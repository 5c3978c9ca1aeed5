import type { Opened } from '@sluice/credentials/seal';
import { whyUnopened } from '@sluice/credentials/why-unopened';
import { createLineBudget } from '@sluice/runtime/telemetry/line-budget';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { errorFields } from '@sluice/store/connection/mongo-refusal';
import type { SourceFinderDeps } from './find-source.ts';

/** A failed lookup is not cached, so each request of the source can fail again. */
const LINES_PER_SECOND = 10;

export interface LookupLog {
  /** Neither Redis nor MongoDB has responded. */
  readonly failed: SourceFinderDeps['onError'];
  /** The keys of this installation do not open the signing secret. */
  sealed(sourceId: string, unopened: Exclude<Opened, { readonly status: 'opened' }>): void;
}

/** Logs failed lookups, with a limit of lines per second for each kind. `unlogged` is the number of omitted lines. */
export function createLookupLog(logger: Pick<Logger, 'warn' | 'error'>): LookupLog {
  const ofFailed = createLineBudget({ perSecond: LINES_PER_SECOND });
  const ofSealed = createLineBudget({ perSecond: LINES_PER_SECOND });
  return {
    failed(error, source_id) {
      const taken = ofFailed.take();
      if (taken === undefined) return;
      const fields = { event: 'source.lookup_failed', ...errorFields(error), source_id, ...taken };
      logger.warn(fields, 'source not found out');
    },
    sealed(source_id, unopened) {
      const taken = ofSealed.take();
      if (taken === undefined) return;
      const fields = { event: 'source.sealed', source_id, status: unopened.status, ...taken };
      logger.error(fields, whyUnopened(unopened));
    },
  };
}
