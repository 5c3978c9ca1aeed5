import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { CONVERSATION_ACTION_KINDS } from '@sluice/contract/conversation/conversation-action';
import { OUTCOMES, type Outcome } from '@sluice/contract/delivery/delivery';
import { ACTION_KINDS } from '@sluice/contract/event/action';
import { LOGGED_PROBLEMS } from '@sluice/contract/problem/problem';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { useMemo } from 'react';
import { outcomeWord } from '../../ui/chip.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Icon } from '../../ui/icons.tsx';
import { localMinute, shortLocalTime } from '../../ui/time.ts';
import { useAddress } from '../../ui/use-address.ts';
import { FILTER_NAMES, type FilterName, type Filters, readFilters } from './filter.ts';
import classes from './filter-bar.module.css';

const CLASSES = [
  { value: '', label: 'All' },
  { value: '2xx', label: '2xx' },
  { value: '4xx', label: '4xx' },
  { value: '5xx', label: '5xx' },
];
const ANY_ACTION = { value: '', label: 'Any action' };
const OUTCOME_OPTIONS = [
  { value: '', label: 'Any outcome' },
  ...OUTCOMES.map((value) => ({ value, label: outcomeWord(value) })),
];
const CODE_OPTIONS = [
  { value: '', label: 'Any code' },
  ...LOGGED_PROBLEMS.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
];
const MADE_BY = [
  { value: '', label: 'All rows' },
  { value: 'requests', label: 'Requests only' },
  { value: 'changes', label: 'No request' },
];
const TIMES = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
];
const OTHER_TIME = { value: 'other', label: 'Custom range' };
/** Tolerates a small clock difference between the author and the reader of a link. */
const TOLERANCE_HOURS = 0.05;

interface DeliveryFiltersProps extends FilterState {
  /** A channel has other actions than a source; null: both. */
  readonly isChannel: boolean | null;
}

export function DeliveryFilters({ filters, set, change, isChannel }: DeliveryFiltersProps) {
  const { title = '', status_class, action, outcome, code, made_by } = filters;
  const time = timeChoice(filters);
  const onTime = (value: string) =>
    value === OTHER_TIME.value
      ? change({ from: since('24'), to: new Date().toISOString() })
      : change({ from: since(value), to: '' });
  return (
    <FilterBar
      of="deliveries"
      search={{ name: 'title', label: 'Search in titles', placeholder: 'Search titles', value: title }}
      filters={[]}
      more={[
        { name: 'status_class', label: 'HTTP status', as: 'segments', data: CLASSES, value: status_class },
        { name: 'action', label: 'Action', data: [ANY_ACTION, ...kindsOf(isChannel)], value: action },
        { name: 'outcome', label: 'Outcome', data: OUTCOME_OPTIONS, value: outcome },
        { name: 'code', label: 'Code', data: CODE_OPTIONS, value: code },
        { name: 'made_by', label: 'Made by', data: MADE_BY, value: made_by },
        { name: 'time', label: 'Time', data: [...TIMES, OTHER_TIME], value: time },
      ]}
      onChange={(name, value) => (name === 'time' ? onTime(value) : set(name as FilterName, value))}
    >
      {time === OTHER_TIME.value && <TimeRange filters={filters} set={set} />}
    </FilterBar>
  );
}

function kindsOf(isChannel: boolean | null): readonly string[] {
  if (isChannel === null) return [...ACTION_KINDS, ...CONVERSATION_ACTION_KINDS];
  return isChannel ? CONVERSATION_ACTION_KINDS : ACTION_KINDS;
}

function since(hours: string): string {
  return hours === '' ? '' : new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
}

/**
 * Returns the option that matches the times in the address. An option stays selected for an hour after it was chosen.
 * A range from a chart matches no option.
 */
function timeChoice({ from, to }: Filters): string {
  if (from === undefined && to === undefined) return '';
  const hours = from === undefined ? Number.NaN : (Date.now() - Date.parse(from)) / HOUR_MS;
  const choice = [1, 24, 168].find((one) => hours >= one - TOLERANCE_HOURS && hours < one + 1);
  return to !== undefined || choice === undefined ? OTHER_TIME.value : String(choice);
}

const WORDS: Record<FilterName, (value: string) => string> = {
  status_class: (value) => `status ${value}`,
  status: (value) => `status ${value}`,
  code: (value) => value.replaceAll('_', ' '),
  action: (value) => value,
  outcome: (value) => outcomeWord(value as Outcome),
  from: (value) => `since ${timeWords(value)}`,
  to: (value) => `until ${timeWords(value)}`,
  title: (value) => `title contains “${value}”`,
  event_id: (value) => `event ${value}`,
  made_by: (value) => (value === 'requests' ? 'requests only' : 'imports and changes by admins'),
};

/** Shows each active filter, with a button to remove it. */
export function FilterChips({ filters, set, clear }: FilterState) {
  const active = FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [{ name, words: WORDS[name](value) }];
  });
  if (active.length === 0) return null;
  return (
    <div className="row">
      {active.map(({ name, words }) => (
        <span key={name} className={`${classes.chip} tone-info`}>
          <span className="ellipsis">{words}</span>
          <UnstyledButton aria-label={`Remove filter: ${words}`} onClick={() => set(name, '')}>
            <Icon name="cross" size={12} />
          </UnstyledButton>
        </span>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={clear}>
        Clear all
      </Button>
    </div>
  );
}

function timeWords(value: string): string {
  return Number.isNaN(Date.parse(value)) ? value : shortLocalTime(value);
}

const ENDS = [
  ['from', 'From'],
  ['to', 'Until'],
] as const;

/** The two ends of a range of time, in the viewer's time zone. */
function TimeRange({ filters, set }: Pick<FilterState, 'filters' | 'set'>) {
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

interface FilterState {
  readonly filters: Filters;
  /** An empty value removes the filter. */
  readonly set: (name: FilterName, value: string) => void;
  /** Sets several filters at once. */
  readonly change: (values: Filters) => void;
  readonly clear: () => void;
}

const NONE: Filters = Object.fromEntries(FILTER_NAMES.map((name) => [name, '']));

/** Keeps the filters of the list in the address, so that a link includes them and they survive a reload. */
export function useFilters(): FilterState {
  const { search, change } = useAddress();
  const key = FILTER_NAMES.map((name) => search.get(name) ?? '').join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other parts of the address may change while the filters stay the same.
  const filters = useMemo(() => readFilters(search), [key]);
  return { filters, change, set: (name, value) => change({ [name]: value }), clear: () => change(NONE) };
}
