import type { DeliveryFilter, ReprocessedMany } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '../../api/api-client.ts';

/** The progress of a run. */
export interface Progress extends Pick<ReprocessedMany, 'reprocessed' | 'skipped' | 'reasons'> {
  /** The queue has no room; the run continues in a moment. */
  readonly isWaiting: boolean;
}

interface Run {
  readonly filter: DeliveryFilter;
  readonly expected: number;
  readonly skipDone: boolean;
}

const NOTHING: Progress = { reprocessed: 0, skipped: 0, reasons: [], isWaiting: false };

/** Reprocesses all matching deliveries, request after request, until none is left. Closing the dialog stops it. */
export function useReprocessMatching() {
  const [progress, setProgress] = useState(NOTHING);
  const client = useQueryClient();
  const stopped = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    stopped.current = controller;
    return () => controller.abort();
  }, []);
  const run = useMutation({
    mutationFn: async ({ filter, expected, skipDone }: Run) => {
      const { signal } = stopped.current;
      let sum = NOTHING;
      setProgress(sum);
      for (let after: string | null | undefined; after !== null && !signal.aborted; ) {
        const body = { filter, expected, skip_done: skipDone, ...(after !== undefined && { after }) };
        const result = await callApi(ROUTES.deliveries.reprocessMatching, { body });
        sum = plus(sum, result);
        setProgress(sum);
        // An older API server sends no `next`.
        after = result.next ?? null;
        if (result.retry_after_seconds !== null) await wait(result.retry_after_seconds, signal);
      }
      return sum;
    },
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: [ROUTES.deliveries.count.path] }),
  });
  return { run, progress };
}

function plus(before: Progress, now: ReprocessedMany): Progress {
  const reasons = new Map(before.reasons.map(({ detail, deliveries }) => [detail, deliveries]));
  for (const { detail, deliveries } of now.reasons)
    reasons.set(detail, (reasons.get(detail) ?? 0) + deliveries);
  return {
    reprocessed: before.reprocessed + now.reprocessed,
    skipped: before.skipped + now.skipped,
    reasons: [...reasons].map(([detail, deliveries]) => ({ detail, deliveries })),
    isWaiting: now.retry_after_seconds !== null,
  };
}

function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
