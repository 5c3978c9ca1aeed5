import type { StageItem, StageRetired } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { reloadSessionAfter } from '../../api/queries.ts';

/** Retires a stage request by request. It stops when the dialog closes; the stage stays marked until it continues. */
export function useRetireStage(stage: StageItem, onGone: () => void) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<StageRetired | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [running, setRunning] = useState(false);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const refresh = () =>
    Promise.all(
      [ROUTES.pipeline.show, ROUTES.leads.list].map(({ path }) =>
        client.invalidateQueries({ queryKey: [path] }),
      ),
    );
  const start = async (move_to: string) => {
    setRunning(true);
    setError(null);
    let moved = 0;
    try {
      for (let left = Number.POSITIVE_INFINITY; left > 0 && isOpen.current; ) {
        const input = { params: { stageId: stage.id }, body: { move_to } };
        const portion = await callApi(ROUTES.pipeline.retireStage, input);
        moved += portion.moved;
        left = portion.left;
        setProgress({ moved, left });
      }
      if (isOpen.current) onGone();
    } catch (failure) {
      setError(failure as Error);
      reloadSessionAfter(failure, client);
    } finally {
      setRunning(false);
      await refresh();
    }
  };
  return { progress, error, running, start };
}
