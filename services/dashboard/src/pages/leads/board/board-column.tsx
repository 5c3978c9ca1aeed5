import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import type { LeadItem, LeadQuery } from '@sluice/dashboard-api/leads';
import { LEADS_COUNTED } from '@sluice/dashboard-api/limits';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Ago } from '../../../ui/ago.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { EmailText } from '../../../ui/email-text.tsx';
import { Listed, ShowMore } from '../../../ui/states.tsx';
import { useLeads } from '../lead-list.tsx';
import { isFiltered } from '../lead-query.ts';
import { Tags } from '../lead-table.tsx';
import { KIND_TONES, KIND_WORDS, leadName } from '../lead-words.ts';
import classes from './board.module.css';
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
  const leads = useLeads({ ...filters, stage: stage.id, sort: '-updated_at' }, PAGE);
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
      <header className="row breaks">
        <h2 id={title}>{stage.name}</h2>
        {!isFiltered(filters) && <span className="dimmed small number">{countWords(stage.leads)}</span>}
        {stage.kind !== 'open' && stage.name !== KIND_WORDS[stage.kind] && (
          <Chip tone={KIND_TONES[stage.kind]}>{KIND_WORDS[stage.kind]}</Chip>
        )}
        {stage.retiring_to !== null && <Chip tone="warn">Being retired</Chip>}
      </header>
      <Listed list={leads} rows={3} empty={<p className="dimmed small">No leads</p>}>
        <ul className="stack-small">
          {leads.items.map((lead) => (
            <BoardCard key={lead.id} {...{ lead, carried, mayMove, isToFocus, onOpen }} />
          ))}
        </ul>
      </Listed>
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

interface BoardCardProps {
  readonly lead: LeadItem;
  readonly carried: CarriedCard;
  readonly mayMove: boolean;
  readonly isToFocus: (lead: LeadItem) => boolean;
  readonly onOpen: (leadId: string) => void;
}

/** A link, because Firefox does not drag buttons. It opens the drawer. */
function BoardCard({ lead, carried, mayMove, isToFocus, onOpen }: BoardCardProps) {
  const { pathname, search } = useLocation();
  const { card, isDragged } = useDraggable(lead, mayMove);
  const focusIfMoved = useEffectEvent(() => {
    if (isToFocus(lead)) card.current?.focus();
  });
  useEffect(() => focusIfMoved(), []);
  const address = new URLSearchParams(search);
  address.set('lead', lead.id);
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(lead.id);
  };
  return (
    <li>
      <a
        ref={card}
        href={`${pathname}?${address}`}
        className={classes.card}
        data-lead={lead.id}
        data-dragged={isDragged || undefined}
        data-carried={carried.lead?.id === lead.id || undefined}
        aria-describedby={mayMove ? 'board-help' : undefined}
        onClick={onClick}
        onKeyDown={mayMove ? (event) => carried.onKeyDown(event, lead) : undefined}
        onBlur={carried.onBlur}
      >
        <strong>
          <EmailText text={leadName(lead)} />
        </strong>
        {lead.company !== null && <span className="small">{lead.company}</span>}
        {lead.email !== null && lead.name !== null && <span className="dimmed small">{lead.email}</span>}
        {lead.tags.length > 0 && <Tags tags={lead.tags} />}
        <span className="dimmed small">
          entered <Ago at={lead.stage_changed_at} />
        </span>
      </a>
    </li>
  );
}

function useDraggable(lead: LeadItem, enabled: boolean) {
  const card = useRef<HTMLAnchorElement>(null);
  const [isDragged, setIsDragged] = useState(false);
  useEffect(() => {
    const element = card.current;
    if (element === null || !enabled) return;
    return draggable({
      element,
      getInitialData: () => dragData(lead),
      onDragStart: () => setIsDragged(true),
      onDrop: () => setIsDragged(false),
    });
  }, [lead, enabled]);
  return { card, isDragged };
}

const LEAD = Symbol('lead');

/** Attaches a lead to a drag. */
function dragData(lead: LeadItem): Record<string | symbol, unknown> {
  return { [LEAD]: lead };
}

/** Returns the lead that is dragged; undefined if something else is. */
function draggedLead(data: Readonly<Record<string | symbol, unknown>>): LeadItem | undefined {
  return data[LEAD] as LeadItem | undefined;
}
