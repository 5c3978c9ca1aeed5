import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import type { LeadItem, LeadQuery } from '@sluice/dashboard-api/leads';
import { LEADS_COUNTED } from '@sluice/dashboard-api/limits';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Chip } from '../../../ui/chip.tsx';
import { ShowMore } from '../../../ui/show-more.tsx';
import { ErrorNote, OutOfDate, RowsSkeleton } from '../../../ui/states.tsx';
import { isFiltered } from '../lead-query.ts';
import { KIND_TONES, KIND_WORDS } from '../lead-words.ts';
import { useLeads } from '../use-leads.ts';
import classes from './board.module.css';
import { BoardCard } from './board-card.tsx';
import { draggedLead } from './dragged-lead.ts';
import type { CarriedCard } from './use-carried-card.ts';

const PAGE = 25;

interface BoardColumnProps {
  readonly stage: StageItem;
  readonly query: LeadQuery;
  /** A card carried with the keyboard would be dropped here. */
  readonly isTarget: boolean;
  readonly carried: CarriedCard;
  readonly mayMove: boolean;
  /** Whether a card that appears in the column gets the focus. */
  readonly isToFocus: (lead: LeadItem) => boolean;
  readonly onOpen: (leadId: string) => void;
  readonly onDropped: (lead: LeadItem, stage: StageItem) => void;
}

/** The leads of one stage, last changed first, so that a moved card comes to the top. */
export function BoardColumn(props: BoardColumnProps) {
  const { stage, query, isTarget, carried, mayMove, isToFocus, onOpen, onDropped } = props;
  const { stage: _, sort: __, ...filters } = query;
  const leads = useLeads({ ...filters, stage: stage.id, sort: '-updated_at' }, { limit: PAGE });
  const { column, isOver } = useDropTarget(mayMove && stage.retiring_to === null, (lead) =>
    onDropped(lead, stage),
  );
  const title = `stage-${stage.id}`;
  return (
    <section
      ref={column}
      className={classes.column}
      data-column={stage.id}
      data-over={isOver || isTarget || undefined}
      aria-labelledby={title}
    >
      <header className={classes.head}>
        <h2 id={title}>{stage.name}</h2>
        {!isFiltered(filters) && <span className="dimmed small number">{countWords(stage.leads)}</span>}
        {stage.kind !== 'open' && stage.name !== KIND_WORDS[stage.kind] && (
          <Chip tone={KIND_TONES[stage.kind]}>{KIND_WORDS[stage.kind]}</Chip>
        )}
        {stage.retiring_to !== null && <Chip tone="warn">Being retired</Chip>}
      </header>
      {leads.error !== null && leads.items.length === 0 ? (
        <ErrorNote error={leads.error} onRetry={() => void leads.refetch()} />
      ) : leads.isPending ? (
        <RowsSkeleton rows={3} />
      ) : (
        <>
          <OutOfDate query={leads} />
          <ul className={classes.cards}>
            {leads.items.map((lead) => (
              <BoardCard key={lead.id} {...{ lead, carried, mayMove, isToFocus, onOpen }} />
            ))}
            {leads.items.length === 0 && <li className={classes.none}>No leads</li>}
          </ul>
        </>
      )}
      <ShowMore key={JSON.stringify(filters)} list={leads} size="xs" />
    </section>
  );
}

function countWords(count: number): string {
  return count < LEADS_COUNTED ? count.toLocaleString('en') : `${LEADS_COUNTED.toLocaleString('en')}+`;
}

function useDropTarget(enabled: boolean, onDrop: (lead: LeadItem) => void) {
  const column = useRef<HTMLElement>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const element = column.current;
    if (element === null || !enabled) return;
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => draggedLead(source.data) !== undefined,
      onDragEnter: () => setIsOver(true),
      onDragLeave: () => setIsOver(false),
      onDrop({ source }) {
        setIsOver(false);
        const lead = draggedLead(source.data);
        if (lead !== undefined) drop(lead);
      },
    });
  }, [enabled]);
  return { column, isOver };
}
