import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from './more-filters.module.css';

interface MoreFiltersProps {
  /** How many of these filters are set. */
  readonly count: number;
  readonly children: ReactNode;
}

/** Filters that a phone shows behind one button. Wider pages show them at once. */
export function MoreFilters({ count, children }: MoreFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        className={classes.button}
        variant="default"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div id={id} className={classes.filters} data-open={isOpen || undefined}>
        {children}
      </div>
    </>
  );
}
