import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import table from './table.module.css';
import { Tip } from './tip.tsx';

interface TrashCellProps {
  /** The act, for whoever sees the button. */
  readonly tip: string;
  /** The act and what it is done to, for whoever hears it. */
  readonly label: string;
  readonly onClick: () => void;
  /** What else can be done, before it. */
  readonly children?: ReactNode;
}

/** The last cell of a row that can be done away with. */
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
