import { Button, SegmentedControl, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './filter-bar.module.css';
import { type Choice, FilterSelect, type FilterSelectProps } from './filters.tsx';
import { Icon } from './icons.tsx';

/** A filter, with the parameter of the address that it changes. An empty value is its first choice. */
interface Filter {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  /** Absent: a select. `segments` shows all choices side by side. */
  readonly as?: 'segments';
  readonly data: readonly (Choice | string)[];
}

interface FilterBarProps {
  /** What is filtered: "deliveries". */
  readonly of: string;
  readonly search: Omit<SearchFieldProps, 'onChange'> & { readonly name: string };
  /** False: it is left out. */
  readonly filters: readonly (Filter | false)[];
  /** Filters that a phone shows behind one button. */
  readonly more?: readonly Filter[];
  /** Filters of other kinds. They follow the last one. */
  readonly children?: ReactNode;
  /** How many of them are set. */
  readonly othersSet?: number;
  readonly onChange: (name: string, value: string) => void;
}

/** The filters of a list, in one row where it has room. */
export function FilterBar({ of, search, filters, more, children, othersSet = 0, onChange }: FilterBarProps) {
  const control = (filter: Filter | false) =>
    filter && (
      <FilterControl key={filter.name} {...filter} onChange={(value) => onChange(filter.name, value)} />
    );
  return (
    <search className="row" aria-label={`Filter ${of}`}>
      <SearchField {...search} onChange={(text) => onChange(search.name, text)} />
      {filters.map(control)}
      {more === undefined ? (
        children
      ) : (
        <MoreFilters
          count={more.filter(({ value }) => value !== undefined && value !== '').length + othersSet}
        >
          {more.map(control)}
          {children}
        </MoreFilters>
      )}
    </search>
  );
}

function FilterControl({
  as,
  label,
  data,
  value = '',
  onChange,
}: Filter & Pick<FilterSelectProps, 'onChange'>) {
  if (as === 'segments')
    return <SegmentedControl aria-label={label} data={[...data]} value={value} onChange={onChange} />;
  return <FilterSelect label={label} data={data} value={value} onChange={onChange} />;
}

interface MoreFiltersProps {
  /** How many of these filters are set. */
  readonly count: number;
  readonly children: ReactNode;
}

/** Filters that a phone shows behind one button. Wider pages show them at once. */
function MoreFilters({ count, children }: MoreFiltersProps) {
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

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The field that `/` focuses. It waits for a pause in typing before it calls `onChange`. */
function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  return (
    <TextFilter
      className={classes.search}
      data-filter
      label={label}
      placeholder={`${placeholder}  ( / )`}
      leftSection={<Icon name="search" size={16} />}
      value={value}
      onChange={onChange}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  );
}

interface TextFilterProps extends Omit<TextInputProps, 'onChange' | 'label'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly 'data-filter'?: true;
}

const TYPING_MS = 250;

/**
 * A text whose value is in the address. It calls `onChange` after a pause in typing. The value replaces the text only if it was changed
 * elsewhere, such as by the Back button.
 */
export function TextFilter({ label, value, onChange, ...rest }: TextFilterProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed;
    onChange(typed);
  }, TYPING_MS);
  useEffect(() => {
    // A page may leave out the blanks at the ends.
    if (value.trim() === sent.current.trim()) return;
    sent.current = value;
    setText(value);
  }, [value]);
  return (
    <TextInput
      aria-label={label}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      {...rest}
    />
  );
}
