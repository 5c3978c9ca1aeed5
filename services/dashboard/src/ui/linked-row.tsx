import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';

interface LinkedRowProps {
  /** The page that Enter opens. A link inside the row leads there too. */
  readonly to: string;
  readonly children: ReactNode;
}

/** A table row that leads to a page. `useTableKeys` gives it the focus. */
export function LinkedRow({ to, children }: LinkedRowProps) {
  const navigate = useNavigate();
  return (
    <tr
      tabIndex={-1}
      // Ignores keys of buttons and links inside the row.
      onKeyDown={({ key, target, currentTarget }) =>
        key === 'Enter' && target === currentTarget && navigate(to)
      }
    >
      {children}
    </tr>
  );
}
