import { NativeSelect, type NativeSelectProps } from '@mantine/core';

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
