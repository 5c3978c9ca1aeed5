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
    // Without a connection the reload fails too, so it could not put the card back.
    onError: (_error, { lead }) => putCard(client, lead, isOlderThan(lead)),
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
  putCard(client, { ...lead, stage, stage_changed_at: new Date().toISOString() }, () => true);
}

function isOlderThan({ updated_at }: LeadItem) {
  return (other: LeadItem) => Date.parse(other.updated_at) < Date.parse(updated_at);
}

/** Puts a card into the column of its stage, above the first card that `isBelow`, and takes it out of all others. */
function putCard(client: QueryClient, lead: LeadItem, isBelow: (other: LeadItem) => boolean): void {
  for (const [key, data] of client.getQueriesData<InfiniteData<LeadPage>>({ queryKey: LIST })) {
    const column = (key[1] as { readonly stage?: string } | undefined)?.stage;
    if (data === undefined || column === undefined) continue;
    const pages = data.pages.map((page, index) => {
      const others = page.items.filter(({ id }) => id !== lead.id);
      if (column !== lead.stage || index !== 0) return { ...page, items: others };
      const place = others.findIndex(isBelow);
      return { ...page, items: others.toSpliced(place === -1 ? others.length : place, 0, lead) };
    });
    client.setQueryData(key, { ...data, pages });
  }
}
