import type { ReactNode } from 'react';
import classes from './tip.module.css';

interface TipProps {
  readonly label: string;
  readonly children: ReactNode;
  /** Whether the button is near the right edge of the window. */
  readonly atEdge?: boolean;
}

/** Shows the label of an icon button on hover and on focus. The button has the same text as its name. */
export function Tip({ label, children, atEdge = false }: TipProps) {
  return (
    <span className={classes.tip} data-tip={label} data-edge={atEdge || undefined}>
      {children}
    </span>
  );
}
