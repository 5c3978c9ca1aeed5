import { TextInput } from '@mantine/core';
import { localMinute } from '../../ui/time.ts';
import type { FilterState } from './use-filters.ts';

const ENDS = [
  ['from', 'From'],
  ['to', 'Until'],
] as const;

/** The two ends of a range of time, in the viewer's time zone. */
export function TimeRange({ filters, set }: Pick<FilterState, 'filters' | 'set'>) {
  return ENDS.map(([name, label]) => (
    <TextInput
      key={name}
      type="datetime-local"
      aria-label={label}
      value={localMinute(filters[name])}
      onChange={({ currentTarget: { value } }) => {
        const at = new Date(value);
        set(name, Number.isNaN(at.getTime()) ? '' : at.toISOString());
      }}
    />
  ));
}
