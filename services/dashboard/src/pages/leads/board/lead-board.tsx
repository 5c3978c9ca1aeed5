import type { LeadItem, LeadQuery } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { useRef } from 'react';
import { useMay } from '../../../shell/me.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { leadName } from '../lead-words.ts';
import classes from './board.module.css';
import { BoardColumn } from './board-column.tsx';
import { useCarriedCard } from './use-carried-card.ts';
import { useMoveLead } from './use-move-lead.ts';

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
    <div className={classes.stack}>
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
