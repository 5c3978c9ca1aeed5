import { Button, NativeSelect, type NativeSelectProps, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icons.tsx';
import classes from './more-filters.module.css';

interface FilterSelectProps extends Pick<NativeSelectProps, 'data' | 'className'> {
  readonly label: string;
  /** Undefined or empty: the option with an empty value. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  /** `/` focuses it, where a page has no field to search in. */
  readonly 'data-filter'?: true;
}

/** A filter with a few choices. Its name is not shown, because its options tell it. */
export function FilterSelect({ label, value = '', onChange, ...rest }: FilterSelectProps) {
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...rest}
    />
  );
}

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

interface SearchFieldProps {
  readonly className: string | undefined;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The field that `/` focuses. It waits for a pause in typing before it calls `onChange`. */
export function SearchField({ className, label, placeholder, value, onChange }: SearchFieldProps) {
  const { text, setText, send } = useTyped(value, onChange);
  return (
    <TextInput
      className={className}
      data-filter
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={16} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  );
}

const TYPING_MS = 250;

/**
 * The text of a field whose value is in the address. It calls `onChange` after a pause in typing. The value replaces the
 * text only if it was changed elsewhere, such as by the Back button.
 */
export function useTyped(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed;
    onChange(typed);
  }, TYPING_MS);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  return { text, setText, send };
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface ChoicesSettings {
  /** The label of the empty choice: "All sources". */
  readonly all: string;
  /** Undefined while they load. */
  readonly of: readonly Choice[] | undefined;
  /** Empty: all. */
  readonly chosen: string;
  /** The label of a chosen value that is not among them: "Deleted source". */
  readonly gone: string;
}

/**
 * Returns the options of a select for one record or all. They include the chosen value, even if its record was deleted or the records still
 * load. Otherwise the browser shows "all" although one is chosen, and "all" cannot be chosen.
 */
export function choicesOf({ all, of, chosen, gone }: ChoicesSettings): Choice[] {
  const isListed = chosen === '' || of?.some(({ value }) => value === chosen) === true;
  const unlisted = isListed ? [] : [{ value: chosen, label: of === undefined ? chosen : gone }];
  return [{ value: '', label: all }, ...(of ?? []), ...unlisted];
}
