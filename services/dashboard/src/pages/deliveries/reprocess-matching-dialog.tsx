import { Button } from '@mantine/core';
import { DAY_MS } from '@sluice/contract/time/durations';
import type { DeliveryCount, DeliveryFilter, ReprocessedMany } from '@sluice/dashboard-api/deliveries';
import { REPROCESS_LIMIT } from '@sluice/dashboard-api/limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { useRead } from '../../api/queries.ts';
import { Checkbox } from '../../ui/checkbox.ts';
import dialog from '../../ui/dialog.module.css';
import { ConfirmDialog } from '../../ui/dialog-parts.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Loaded } from '../../ui/states.tsx';
import { counted, number } from '../../ui/words.ts';
import { type Filters, toQuery } from './filter.ts';

interface ReprocessMatchingDialogProps {
  readonly sourceId: string;
  readonly filters: Filters;
  readonly title?: string;
  readonly onClose: () => void;
}

/** Asks, then reprocesses all matching deliveries, and shows the progress and what was not reprocessed. */
export function ReprocessMatchingDialog({
  sourceId,
  filters,
  title = 'Reprocess all matching deliveries?',
  onClose,
}: ReprocessMatchingDialogProps) {
  const [later, setLater] = useState<Filters>({});
  const query = toQuery(sourceId, { ...filters, ...later });
  const { run, progress } = useReprocessMatching();
  const count = useRead(ROUTES.deliveries.count, { query });
  const [skipDone, setSkipDone] = useState(true);
  // The number that was confirmed. The count goes on changing while the run lasts.
  const [total, setTotal] = useState(0);
  const able = count.data?.reprocessable ?? 0;
  const done = count.data?.done ?? 0;
  const wanted = skipDone ? able - done : able;
  const isOff = count.data !== undefined && (wanted === 0 || able > REPROCESS_LIMIT);
  const close = () => {
    void count.refetch();
    onClose();
  };
  const onConfirm = () => {
    if (count.data === undefined) return;
    setTotal(able);
    run.mutate({ filter: query, expected: able, skipDone }, { onError: () => void count.refetch() });
  };
  if (run.isPending || run.isSuccess)
    return (
      <Modal opened onClose={close} title="Reprocess deliveries" size="md">
        <ReprocessProgress {...progress} total={total} isDone={run.isSuccess} onClose={close} />
      </Modal>
    );
  return (
    <ConfirmDialog
      opened
      title={title}
      confirm={isOff ? undefined : `Reprocess ${number(wanted)}`}
      {...(isOff && { dismiss: 'Close' })}
      danger={false}
      stays={false}
      change={{ isPending: count.data === undefined, error: run.error }}
      onConfirm={onConfirm}
      onClose={close}
    >
      <Loaded query={count}>{(data) => <Effect {...data} />}</Loaded>
      {able > REPROCESS_LIMIT && later.from === undefined && (
        <Button
          variant="default"
          onClick={() => setLater({ from: new Date(Date.now() - DAY_MS).toISOString() })}
        >
          Last 24 h only
        </Button>
      )}
      {done > 0 && (
        <Checkbox
          checked={skipDone}
          onChange={(event) => setSkipDone(event.currentTarget.checked)}
          label={`Skip the ${counted(done, 'that was', 'that were')} reprocessed before`}
        />
      )}
    </ConfirmDialog>
  );
}

function Effect({ matching, reprocessable }: DeliveryCount) {
  return (
    <>
      <p>
        <strong>{number(matching)}</strong> {matching === 1 ? 'delivery matches' : 'deliveries match'} the
        filters, <strong>{number(reprocessable)}</strong> of them can be reprocessed.
      </p>
      {reprocessable > REPROCESS_LIMIT ? (
        <p>
          At most {number(REPROCESS_LIMIT)} can be reprocessed at once. Narrow the filters first, for example
          by time.
        </p>
      ) : (
        <p className="dimmed">
          Each delivery is applied again as a new action, in the original order. It appears as a new row that
          links to the old one. Events that have changed since then get the old content back. Requests without
          a valid signature are never reprocessed.
        </p>
      )}
    </>
  );
}

interface ReprocessProgressProps extends Progress {
  readonly total: number;
  readonly isDone: boolean;
  readonly onClose: () => void;
}

/** How far a run is, and why deliveries were not reprocessed. */
function ReprocessProgress(props: ReprocessProgressProps) {
  const { reprocessed, skipped, reasons, isWaiting, total, isDone, onClose } = props;
  const refused = reasons.reduce((sum, { deliveries }) => sum + deliveries, 0);
  const settled = reprocessed + skipped + refused;
  return (
    <div className="stack">
      <div className="stack-small breaks" role="status">
        <p>
          Reprocessed <strong>{number(reprocessed)}</strong> of {number(total)} deliveries
          {isDone ? '.' : '…'}
          {skipped > 0 && ` ${number(skipped)} were reprocessed before and are skipped.`}
        </p>
        <progress
          value={isDone ? 1 : settled}
          max={isDone ? 1 : Math.max(1, total)}
          aria-label="Deliveries reprocessed"
        />
        {isWaiting && !isDone && <p>Too many actions are waiting to be applied. This continues soon.</p>}
        {reasons.length > 0 && (
          <>
            <p>
              <strong>{number(refused)}</strong> {refused === 1 ? 'was' : 'were'} not reprocessed. They stay
              in the log, and you can reprocess them later:
            </p>
            <ul>
              {reasons.map(({ detail, deliveries }) => (
                <li key={detail}>
                  {number(deliveries)}: {detail}
                </li>
              ))}
            </ul>
          </>
        )}
        {isDone ? (
          reprocessed > 0 && <p className="dimmed">New rows appear in the log.</p>
        ) : (
          <p className="dimmed">
            Closing this dialog stops after the current group. Reprocess again later to continue: what is done
            is skipped.
          </p>
        )}
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {isDone ? 'Close' : 'Stop'}
        </Button>
      </div>
    </div>
  );
}

/** The progress of a run. */
interface Progress extends Pick<ReprocessedMany, 'reprocessed' | 'skipped' | 'reasons'> {
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
function useReprocessMatching() {
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
