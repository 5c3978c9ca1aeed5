import type { LeadItem } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { type KeyboardEvent, useState } from 'react';
import { leadName } from '../lead-words.ts';

/** A card that was picked up with the keyboard, and the stage it would be dropped on. */
interface Carried {
  readonly lead: LeadItem;
  readonly target: StageItem;
}

export interface CarriedCard {
  readonly lead: LeadItem | null;
  readonly target: StageItem | null;
  /** Read out by screen readers. */
  readonly announcement: string;
  readonly announce: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, lead: LeadItem) => void;
  /** The focus has left the card. */
  readonly onBlur: () => void;
}

/** Moves cards with the keyboard. Each step is announced. */
export function useCarriedCard(
  stages: readonly StageItem[],
  onDrop: (lead: LeadItem, stage: StageItem) => void,
): CarriedCard {
  const [carried, setCarried] = useState<Carried | null>(null);
  const [announcement, announce] = useState('');
  const targets = stages.filter(({ retiring_to }) => retiring_to === null);
  // By id: a reload makes new objects while a card is carried.
  const indexOf = (stage: StageItem) => targets.findIndex(({ id }) => id === stage.id);
  const placeOf = (stage: StageItem) => `${stage.name}, stage ${indexOf(stage) + 1} of ${targets.length}`;

  const pickUp = (lead: LeadItem) => {
    const target = targets.find(({ id }) => id === lead.stage) ?? targets[0];
    if (target === undefined) return;
    setCarried({ lead, target });
    announce(`Picked up ${leadName(lead)} in ${placeOf(target)}. Choose a stage with the arrow keys.`);
  };
  const step = ({ lead, target }: Carried, by: 1 | -1) => {
    const next = targets[indexOf(target) + by];
    if (next === undefined) return;
    setCarried({ lead, target: next });
    announce(placeOf(next));
  };
  const drop = ({ lead, target }: Carried) => {
    setCarried(null);
    announce(`${leadName(lead)} dropped in ${placeOf(target)}.`);
    onDrop(lead, target);
  };
  const cancel = () => {
    if (carried === null) return;
    setCarried(null);
    announce(`Cancelled. ${leadName(carried.lead)} stays where it was.`);
  };
  /** Returns whether the key does something with the card that is held. */
  const act = (held: Carried, key: string): boolean => {
    if (key === ' ' || key === 'Enter') drop(held);
    else if (key === 'ArrowLeft') step(held, -1);
    else if (key === 'ArrowRight') step(held, 1);
    else if (key === 'Escape') cancel();
    else return false;
    return true;
  };

  return {
    lead: carried?.lead ?? null,
    target: carried?.target ?? null,
    announcement,
    announce,
    onKeyDown(event, lead) {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      const isDone = carried !== null && act(carried, event.key);
      if (!isDone && event.key === ' ') pickUp(lead);
      else if (!isDone && !focusNeighbour(event.currentTarget, event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onBlur: cancel,
  };
}

/** Moves the focus to the next card in the direction of an arrow key. Returns whether the key is an arrow key. */
function focusNeighbour(card: HTMLElement, key: string): boolean {
  const columns = [...document.querySelectorAll('[data-column]')].map((column) => [
    ...column.querySelectorAll<HTMLElement>('[data-lead]'),
  ]);
  const column = columns.findIndex((cards) => cards.includes(card));
  const place = columns[column]?.indexOf(card) ?? 0;
  switch (key) {
    case 'ArrowDown':
      columns[column]?.[place + 1]?.focus();
      return true;
    case 'ArrowUp':
      columns[column]?.[place - 1]?.focus();
      return true;
    case 'ArrowRight':
      cardAt(columns.slice(column + 1), place)?.focus();
      return true;
    case 'ArrowLeft':
      cardAt(columns.slice(0, column).reverse(), place)?.focus();
      return true;
    default:
      return false;
  }
}

/** The card at a place of the first column that has cards, or its last card. */
function cardAt(columns: readonly (readonly HTMLElement[])[], place: number): HTMLElement | undefined {
  const cards = columns.find(({ length }) => length > 0) ?? [];
  return cards[Math.min(place, cards.length - 1)];
}
