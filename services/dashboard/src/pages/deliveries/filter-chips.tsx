import { UnstyledButton } from '@mantine/core';
import type { Outcome } from '@sluice/contract/delivery';
import { outcomeWord } from '../../ui/chip.tsx';
import { Icon } from '../../ui/icons.tsx';
import { shortLocalTime } from '../../ui/time.ts';
import { FILTER_NAMES, type FilterName } from './filter.ts';
import classes from './filter-bar.module.css';
import type { FilterState } from './use-filters.ts';

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
    <div className={classes.chips}>
      {active.map(({ name, words }) => (
        <span key={name} className={classes.chip}>
          <span className="ellipsis">{words}</span>
          <UnstyledButton aria-label={`Remove filter: ${words}`} onClick={() => set(name, '')}>
            <Icon name="cross" size={12} />
          </UnstyledButton>
        </span>
      ))}
      <UnstyledButton className={classes.clear} onClick={clear}>
        Clear all
      </UnstyledButton>
    </div>
  );
}

function timeWords(value: string): string {
  return Number.isNaN(Date.parse(value)) ? value : shortLocalTime(value);
}
