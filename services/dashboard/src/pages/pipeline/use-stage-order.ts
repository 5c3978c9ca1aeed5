import type { Pipeline, StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { reading } from '../../api/queries.ts';

/** Orders the stages. A row moves at once; if the server rejects the order, it goes back. */
export function useStageOrder(stored: readonly StageItem[]) {
  const client = useQueryClient();
  const [announcement, announce] = useState('');
  const { queryKey } = reading(ROUTES.pipeline.show, {});
  const save = useMutation<Pipeline, Error, readonly StageItem[], Pipeline | undefined>({
    mutationFn: (stages) =>
      callApi(ROUTES.pipeline.orderStages, { body: { stages: stages.map(({ id }) => id) } }),
    onMutate: async (stages) => {
      await client.cancelQueries({ queryKey: [ROUTES.pipeline.show.path] });
      const before = client.getQueryData<Pipeline>(queryKey);
      client.setQueryData<Pipeline>(queryKey, (data) => data && { ...data, stages: [...stages] });
      return before;
    },
    // Without a connection the reload fails too, so it could not put the row back.
    onError: (_error, _stages, before) => client.setQueryData(queryKey, before),
    onSettled: () => client.invalidateQueries({ queryKey: [ROUTES.pipeline.show.path] }),
  });
  const move = (stage: StageItem, to: number) => {
    const others = stored.filter(({ id }) => id !== stage.id);
    const place = Math.min(others.length, Math.max(0, to));
    const ordered = [...others.slice(0, place), stage, ...others.slice(place)];
    if (ordered.every(({ id }, index) => id === stored[index]?.id)) return;
    save.mutate(ordered);
    announce(`${stage.name} is now stage ${place + 1} of ${ordered.length}.`);
  };
  return {
    stages: stored,
    announcement,
    error: save.error,
    move,
    moveById(stageId: string, to: number) {
      const stage = stored.find(({ id }) => id === stageId);
      if (stage !== undefined) move(stage, to);
    },
  };
}
