import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import table from './table.module.css';
import { Tip } from './tip.tsx';

interface TrashCellProps {
  /** The action, shown as a tooltip. */
  readonly tip: string;
  /** The action and its object, for screen readers. */
  readonly label: string;
  readonly onClick: () => void;
  /** Other actions, shown before the button. */
  readonly children?: ReactNode;
}

/** The last cell of a row, with a button to remove it. */
export function TrashCell({ tip, label, onClick, children }: TrashCellProps) {
  return (
    <td className={`${table.end} ${table.corner}`}>
      {children}
      <Tip label={tip} atEdge>
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
          <Icon name="trash" />
        </ActionIcon>
      </Tip>
    </td>
  );
}
