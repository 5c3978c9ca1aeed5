import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Ago } from '../../../ui/ago.tsx';
import { EmailText } from '../../../ui/email-text.tsx';
import { Tags } from '../lead-table.tsx';
import { leadName } from '../lead-words.ts';
import classes from './board.module.css';
import { dragData } from './dragged-lead.ts';
import type { CarriedCard } from './use-carried-card.ts';

interface BoardCardProps {
  readonly lead: LeadItem;
  readonly carried: CarriedCard;
  readonly mayMove: boolean;
  readonly isToFocus: (lead: LeadItem) => boolean;
  readonly onOpen: (leadId: string) => void;
}

/** A link, because Firefox does not drag buttons. It opens the drawer. */
export function BoardCard({ lead, carried, mayMove, isToFocus, onOpen }: BoardCardProps) {
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
        <strong className={classes.name}>
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
