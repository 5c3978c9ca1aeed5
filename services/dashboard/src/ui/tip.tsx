import type { ReactNode } from 'react';
import classes from './tip.module.css';

interface TipProps {
  readonly label: string;
  readonly children: ReactNode;
  /** Near the right edge of the window. */
  readonly atEdge?: boolean;
}

/** Says what an icon button does, on hover and on focus. The button has the same words as its name. */
export function Tip({ label, children, atEdge = false }: TipProps) {
  return (
    <span className={classes.tip} data-tip={label} data-edge={atEdge || undefined}>
      {children}
    </span>
  );
}
