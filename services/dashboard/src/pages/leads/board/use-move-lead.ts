import type { LeadItem, LeadPage } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../../api/api-client.ts';

const LIST = [ROUTES.leads.list.path];

interface Move {
  readonly lead: LeadItem;
  readonly stage: string;
}

/** Moves a lead to a stage. The card moves at once; if the server rejects the move, the card goes back. */
export function useMoveLead() {
  const client = useQueryClient();
  const { mutate, error } = useMutation<LeadItem, Error, Move>({
    mutationFn: ({ lead, stage }) =>
      callApi(ROUTES.leads.move, { params: { leadId: lead.id }, body: { stage } }),
    onMutate: async (move) => {
      // A reload that is under way would show the card in its old column again.
      await client.cancelQueries({ queryKey: LIST });
      moveCard(client, move);
    },
    onSettled: () =>
      Promise.all(
        [ROUTES.leads.list, ROUTES.leads.show, ROUTES.leads.history, ROUTES.pipeline.show].map(({ path }) =>
          client.invalidateQueries({ queryKey: [path] }),
        ),
      ),
  });
  return { move: (lead: LeadItem, stage: string) => mutate({ lead, stage }), error };
}

function moveCard(client: QueryClient, { lead, stage }: Move): void {
  const moved = { ...lead, stage, stage_changed_at: new Date().toISOString() };
  for (const [key, data] of client.getQueriesData<InfiniteData<LeadPage>>({ queryKey: LIST })) {
    const column = (key[1] as { readonly stage?: string } | undefined)?.stage;
    if (data === undefined || column === undefined) continue;
    const pages = data.pages.map((page, index) => {
      const others = page.items.filter(({ id }) => id !== lead.id);
      return { ...page, items: column === stage && index === 0 ? [moved, ...others] : others };
    });
    client.setQueryData(key, { ...data, pages });
  }
}
