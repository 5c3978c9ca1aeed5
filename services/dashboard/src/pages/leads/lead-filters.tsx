import { SegmentedControl, TextInput } from '@mantine/core';
import type { LeadQuery } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { choicesOf } from '../../ui/choices.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useTyped } from '../../ui/use-typed.ts';
import { SORT_OPTIONS } from './lead-query.ts';
import classes from './leads.module.css';

const VIEWS = [
  { value: '', label: 'List' },
  { value: 'board', label: 'Board' },
];

interface LeadFiltersProps {
  readonly query: LeadQuery;
  /** The search as typed. One character is too short for the query. */
  readonly typed: string;
  readonly stages: readonly StageItem[];
  /** The board shows every stage, each in a fixed order. */
  readonly asBoard: boolean;
  /** An empty value selects the default. */
  readonly onChange: (name: string, value: string) => void;
}

export function LeadFilters({ query, typed, stages, asBoard, onChange }: LeadFiltersProps) {
  return (
    <search className={classes.filters} aria-label="Filter leads">
      <SearchField
        className={classes.search}
        label="Search by name, company, email or phone"
        placeholder="Search name, company, email or phone  ( / )"
        value={typed}
        onChange={(text) => onChange('q', text)}
      />
      <SegmentedControl
        aria-label="View"
        data={VIEWS}
        value={asBoard ? 'board' : ''}
        onChange={(value) => onChange('view', value)}
      />
      {!asBoard && (
        <FilterSelect
          label="Stage"
          data={choicesOf({
            all: 'Any stage',
            of: stages.map(({ id, name }) => ({ value: id, label: name })),
            chosen: query.stage ?? '',
            gone: 'Deleted stage',
          })}
          value={query.stage}
          onChange={(value) => onChange('stage', value)}
        />
      )}
      <TagFilter value={query.tag ?? ''} onChange={(tag) => onChange('tag', tag)} />
      {!asBoard && (
        <FilterSelect
          label="Order"
          data={[...SORT_OPTIONS]}
          value={query.sort ?? SORT_OPTIONS[0].value}
          onChange={(value) => onChange('sort', value === SORT_OPTIONS[0].value ? '' : value)}
        />
      )}
    </search>
  );
}

interface TagFilterProps {
  readonly value: string;
  readonly onChange: (tag: string) => void;
}

/** Matches a whole tag, so it waits for a pause in typing. */
function TagFilter({ value, onChange }: TagFilterProps) {
  const { text, setText, send } = useTyped(value, onChange);
  return (
    <TextInput
      className={classes.tagFilter}
      aria-label="Tag"
      placeholder="Tag"
      maxLength={50}
      value={text}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed);
        send(typed.trim());
      }}
    />
  );
}
