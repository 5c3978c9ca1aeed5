import { NativeSelect, SegmentedControl } from '@mantine/core';
import { ACTION_KINDS } from '@sluice/contract/action';
import { OUTCOMES } from '@sluice/contract/delivery';
import { LOGGED_PROBLEMS } from '@sluice/contract/webhook-problems';
import { outcomeWord } from '../../ui/chip.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import classes from './filter-bar.module.css';
import type { FilterState } from './use-filters.ts';

const HOUR_MS = 60 * 60 * 1000;

const CLASSES = [
  { value: '', label: 'All' },
  { value: '2xx', label: '2xx' },
  { value: '4xx', label: '4xx' },
  { value: '5xx', label: '5xx' },
];
const ACTIONS = [{ value: '', label: 'Any action' }, ...ACTION_KINDS];
const OUTCOME_OPTIONS = [
  { value: '', label: 'Any outcome' },
  ...OUTCOMES.map((value) => ({ value, label: outcomeWord(value) })),
];
const CODE_OPTIONS = [
  { value: '', label: 'Any code' },
  ...LOGGED_PROBLEMS.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
];
const TIMES = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
];

export function FilterBar({ filters, set }: FilterState) {
  return (
    <search className={classes.bar} aria-label="Filter deliveries">
      <SearchField
        className={classes.search}
        label="Search in titles"
        placeholder="Search titles  ( / )"
        value={filters.title ?? ''}
        onChange={(title) => set('title', title)}
      />
      <SegmentedControl
        aria-label="HTTP status"
        data={CLASSES}
        value={filters.status_class ?? ''}
        onChange={(value) => set('status_class', value)}
      />
      <NativeSelect
        aria-label="Action"
        data={ACTIONS}
        value={filters.action ?? ''}
        onChange={(event) => set('action', event.currentTarget.value)}
      />
      <NativeSelect
        aria-label="Outcome"
        data={OUTCOME_OPTIONS}
        value={filters.outcome ?? ''}
        onChange={(event) => set('outcome', event.currentTarget.value)}
      />
      <NativeSelect
        aria-label="Code"
        data={CODE_OPTIONS}
        value={filters.code ?? ''}
        onChange={(event) => set('code', event.currentTarget.value)}
        className={classes.code}
      />
      <NativeSelect
        aria-label="Time"
        data={TIMES}
        value={filters.from === undefined ? '' : String(hoursSince(filters.from))}
        onChange={(event) => set('from', since(event.currentTarget.value))}
      />
    </search>
  );
}

function since(hours: string): string {
  return hours === '' ? '' : new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
}

/** The choice that a start in the address came from: the shortest that holds it. */
function hoursSince(from: string): number {
  const hours = (Date.now() - Date.parse(from)) / HOUR_MS;
  return [1, 24, 168].find((choice) => hours < choice + 1) ?? 168;
}
