// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are not in the document and the others are placed by hand, which no <table> can do.
import type { KeyboardEvent, ReactNode } from 'react';
import classes from './delivery-list.module.css';

/** Where a row is, and how it is known which one is current. */
export interface RowPlace {
  readonly index: number;
  readonly top: number;
  readonly measure: (element: HTMLElement | null) => void;
  readonly isCurrent: boolean;
  readonly onFocus: (deliveryId: string) => void;
}

interface RowFrameProps extends RowPlace {
  readonly id: string;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

/** What all rows of the list have in common: their place, and being opened by click or Enter. */
export function RowFrame({ id, index, top, measure, isCurrent, onFocus, onOpen, children }: RowFrameProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) onOpen();
  };
  return (
    <div
      ref={measure}
      role="row"
      data-index={index}
      data-row={id}
      aria-rowindex={index + 2}
      tabIndex={isCurrent ? 0 : -1}
      className={`${classes.row} ${classes.item}`}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onOpen}
      onKeyDown={onKeyDown}
      onFocus={() => onFocus(id)}
    >
      {children}
    </div>
  );
}
