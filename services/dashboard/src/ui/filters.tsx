import { NativeSelect } from '@mantine/core';

export interface FilterSelectProps {
  readonly label: string;
  readonly data: readonly (Choice | string)[];
  /** Undefined or empty: the option with an empty value. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  /** `/` focuses it, where a page has no field to search in. */
  readonly 'data-filter'?: true;
}

/** A filter with a few choices. Its name is not shown, because its options tell it. */
export function FilterSelect({ label, data, value = '', onChange, ...rest }: FilterSelectProps) {
  return (
    <NativeSelect
      aria-label={label}
      data={[...data]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...rest}
    />
  );
}

export interface Choice {
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
