// biome-ignore-all lint/a11y/useSemanticElements: rows are virtualized and positioned absolutely, which a <table> does not support.
import type { KeyboardEvent, ReactNode } from 'react';
import classes from './delivery-list.module.css';

/** The position of a row, and whether it is the current one. */
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

/** The common part of all rows: position, click and Enter. */
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
