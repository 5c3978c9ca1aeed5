import { PROBLEMS, type ProblemCode, WEBHOOK_PROBLEMS } from '@sluice/contract/problem/problem';
import { createLineBudget } from '@sluice/runtime/telemetry/line-budget';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { INGRESS_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import type { Metrics } from '@sluice/runtime/telemetry/metrics';

/** A source of which more than half of the recent requests were rejected. */
export interface RejectedSource {
  readonly source_id: string;
  /** The most common one. */
  readonly code: string;
  readonly requests: number;
  readonly rejected: number;
}

export interface RejectedSources {
  /** Counts a response. Returns the source when this response makes it mostly rejected, once in a generation. */
  saw(sourceId: string, code: string, status: number): RejectedSource | undefined;
  /** How many sources are mostly rejected, by their most common code. */
  countByCode(): ReadonlyMap<string, number>;
}

export interface RejectedSourcesSettings {
  /** Milliseconds, of a clock that only goes forward. */
  readonly now?: () => number;
  /** The maximum number of watched sources. Further ones are ignored until others stop sending. */
  readonly most?: number;
}

/** This generation and the previous one are counted, so the window is 2.5 to 5 minutes long. Milliseconds. */
const GENERATION_MS = 150_000;
const MOST = 10_000;
/** Fewer rejections may be a test. The dashboard's "needs attention" has the same limit. */
const WORTH_A_LOOK = 10;

/** Responses that do not prove that a source exists. Anyone can invent an id, and invented ids must not use memory here. */
const OF_NO_SOURCE: ReadonlySet<string> = new Set([
  'not_found',
  'bad_request',
  'source_not_found',
  'method_not_allowed',
  'unsupported_media_type',
  'payload_too_large',
] satisfies ProblemCode[]);

/** The problem codes that count as rejections of a source. */
const REJECTING_CODES: readonly string[] = WEBHOOK_PROBLEMS.filter((code) => PROBLEMS[code].status < 500);

interface Counts {
  requests: number;
  rejected: number;
  byCode: Map<string, number> | undefined;
  told: boolean;
}

type Generation = Map<string, Counts>;

/** Watches sources in bounded memory. Server errors (5xx) are not counted. */
export function createRejectedSources({
  now = () => performance.now(),
  most = MOST,
}: RejectedSourcesSettings = {}): RejectedSources {
  let current: Generation = new Map();
  let before: Generation = new Map();
  let begunAt = now();

  function turn(): void {
    const age = now() - begunAt;
    if (age < GENERATION_MS) return;
    before = age < 2 * GENERATION_MS ? current : new Map();
    current = new Map();
    begunAt = now();
  }

  function countsOf(sourceId: string, code: string): Counts | undefined {
    const known = current.get(sourceId);
    if (known !== undefined) return known;
    const isSource = !OF_NO_SOURCE.has(code) || before.has(sourceId);
    if (!isSource || current.size >= most) return undefined;
    const counts = { requests: 0, rejected: 0, byCode: undefined, told: false };
    // Copied, because a slice would keep the whole head of the request in memory.
    current.set(Buffer.from(sourceId).toString(), counts);
    return counts;
  }

  return {
    saw(sourceId, code, status) {
      if (status >= 500) return undefined;
      turn();
      const counts = countsOf(sourceId, code);
      if (counts === undefined) return undefined;
      counts.requests += 1;
      if (status < 400) return undefined;
      counts.rejected += 1;
      counts.byCode ??= new Map();
      counts.byCode.set(code, (counts.byCode.get(code) ?? 0) + 1);
      if (counts.told) return undefined;
      const found = judge(sourceId, counts, before.get(sourceId));
      counts.told = found !== undefined;
      return found;
    },
    countByCode() {
      turn();
      const byCode = new Map<string, number>();
      for (const sourceId of new Set([...current.keys(), ...before.keys()])) {
        const found = judge(sourceId, current.get(sourceId), before.get(sourceId));
        if (found !== undefined) byCode.set(found.code, (byCode.get(found.code) ?? 0) + 1);
      }
      return byCode;
    },
  };
}

function judge(
  sourceId: string,
  now: Counts | undefined,
  before: Counts | undefined,
): RejectedSource | undefined {
  const rejected = (now?.rejected ?? 0) + (before?.rejected ?? 0);
  const requests = (now?.requests ?? 0) + (before?.requests ?? 0);
  if (rejected < WORTH_A_LOOK || rejected * 2 <= requests) return undefined;
  return { source_id: sourceId, code: commonest([now?.byCode, before?.byCode]), requests, rejected };
}

function commonest(counts: readonly (ReadonlyMap<string, number> | undefined)[]): string {
  const sums = new Map<string, number>();
  for (const [code, count] of counts.flatMap((one) => [...(one ?? [])]))
    sums.set(code, (sums.get(code) ?? 0) + count);
  return [...sums].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

export interface ObserveSourcesDeps {
  readonly metrics: Metrics;
  readonly logger: Pick<Logger, 'warn'>;
  readonly rejected?: RejectedSources;
}

const LINES_PER_SECOND = 10;

/**
 * Reports sources of which most requests are rejected: their number to Prometheus, their ids to the log. No label has an id,
 * because the number of sources has no bound.
 */
export function observeSources({
  metrics,
  logger,
  rejected = createRejectedSources(),
}: ObserveSourcesDeps): (sourceId: string, code: string, status: number) => void {
  metrics.gauge({
    ...INGRESS_METRICS.sluice_sources_mostly_rejected,
    collect() {
      const counts = rejected.countByCode();
      for (const code of REJECTING_CODES) this.set({ code }, counts.get(code) ?? 0);
    },
  });
  const budget = createLineBudget({ perSecond: LINES_PER_SECOND });
  return (sourceId, code, status) => {
    const found = rejected.saw(sourceId, code, status);
    const taken = found && budget.take();
    if (taken !== undefined)
      logger.warn({ event: 'source.rejected', ...found, ...taken }, 'most requests of a source are rejected');
  };
}
