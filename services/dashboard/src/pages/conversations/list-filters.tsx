import { CONVERSATION_ORDER } from '@sluice/dashboard-api/conversation-order';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { choicesOf } from '../../ui/choices.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';
import classes from './conversations.module.css';
import { STATUS_WORDS } from './status-words.ts';
import type { ListFilter } from './with-changes.ts';

const STATUSES = [
  { value: '', label: 'Any status' },
  ...CONVERSATION_ORDER.map((value) => ({ value, label: STATUS_WORDS[value].label })),
];

interface ListFiltersProps {
  readonly filter: ListFilter;
  /** An empty value selects any. */
  readonly onChange: (name: 'status' | 'channel', value: string) => void;
}

export function ListFilters({ filter, onChange }: ListFiltersProps) {
  const { data } = useRead(ROUTES.channels.list, {});
  const hasSeveral = data !== undefined && data.items.length > 1;
  return (
    <search className={classes.filters} aria-label="Filter conversations">
      <FilterSelect
        data-filter
        label="Status"
        data={STATUSES}
        value={filter.status}
        onChange={(value) => onChange('status', value)}
      />
      {(hasSeveral || filter.channel_id !== undefined) && (
        <FilterSelect
          label="Channel"
          data={choicesOf({
            all: 'Any channel',
            of: data?.items.map(({ channel_id, name }) => ({ value: channel_id, label: name })),
            chosen: filter.channel_id ?? '',
            gone: 'Deleted channel',
          })}
          value={filter.channel_id}
          onChange={(value) => onChange('channel', value)}
        />
      )}
    </search>
  );
}
