import type { LeadItem, LeadPage, LeadQuery } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { callApi } from '../../../api/api-client.ts';
import { useMay } from '../../../shell/me.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { leadName } from '../lead-words.ts';
import classes from './board.module.css';
import { BoardColumn } from './board-column.tsx';
import { useCarriedCard } from './use-carried-card.ts';

interface LeadBoardProps {
  readonly query: LeadQuery;
  readonly stages: readonly StageItem[];
  readonly onOpen: (leadId: string) => void;
}

/** One column per stage. Cards move by dragging, or with the keyboard. */
export function LeadBoard({ query, stages, onOpen }: LeadBoardProps) {
  const mayMove = useMay('admin');
  const { move, error } = useMoveLead();
  const toFocus = useRef<{ readonly leadId: string; readonly stageId: string } | null>(null);
  const moveTo = (lead: LeadItem, stage: StageItem) => {
    if (lead.stage !== stage.id) move(lead, stage.id);
  };
  const carried = useCarriedCard(stages, (lead, stage) => {
    toFocus.current = { leadId: lead.id, stageId: stage.id };
    moveTo(lead, stage);
  });
  // A moved card is a new element in another column. It gets the focus that the old one had.
  const isToFocus = ({ id, stage }: LeadItem) => {
    if (toFocus.current?.leadId !== id || toFocus.current.stageId !== stage) return false;
    toFocus.current = null;
    return true;
  };
  const onDropped = (lead: LeadItem, stage: StageItem) => {
    moveTo(lead, stage);
    carried.announce(`${leadName(lead)} moved to ${stage.name}.`);
  };
  return (
    <div className="stack-small">
      {mayMove && (
        <p id="board-help" className="dimmed small">
          Drag a card to another stage. With the keyboard: Space picks up the focused card, ← and → choose a
          stage, Space drops the card, Esc cancels.
        </p>
      )}
      {error !== null && <ErrorNote error={error} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
      <section className={classes.board} aria-label="Leads by stage" tabIndex={0}>
        {stages.map((stage) => (
          <BoardColumn
            key={stage.id}
            stage={stage}
            query={query}
            isTarget={carried.target?.id === stage.id}
            carried={carried}
            mayMove={mayMove}
            isToFocus={isToFocus}
            onOpen={onOpen}
            onDropped={onDropped}
          />
        ))}
      </section>
      <div aria-live="assertive" className="visually-hidden">
        {carried.announcement}
      </div>
    </div>
  );
}

const LIST = [ROUTES.leads.list.path];

interface Move {
  readonly lead: LeadItem;
  readonly stage: string;
}

/** Moves a lead to a stage. The card moves at once; if the server rejects the move, the card goes back. */
function useMoveLead() {
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
    const { query } = (key[2] ?? {}) as { readonly query?: LeadQuery };
    const column = query?.stage;
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
