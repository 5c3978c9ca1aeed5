import { NativeSelect } from '@mantine/core';
import classes from '../import-parts/import.module.css';

interface ZoneFieldProps {
  /** The rows that use the zone, such as `3 rows`. */
  readonly usedFor: string;
  readonly zone: string;
  /** The zone that the file names, or null. */
  readonly ownZone: string | null;
  readonly disabled: boolean;
  readonly onZone: (zone: string) => void;
}

/** Asks for the zone of times that name none. */
export function ZoneField({ usedFor, zone, ownZone, disabled, onZone }: ZoneFieldProps) {
  return (
    <NativeSelect
      className={classes.zone}
      label="Default time zone"
      description={`Used for ${usedFor} without a time zone. Whole days start at midnight.`}
      disabled={disabled}
      data={zonesToChoose(ownZone)}
      value={zone}
      onChange={(event) => onZone(event.currentTarget.value)}
    />
  );
}

/** Lists the file's own zone, UTC, the browser's zone, then all others. */
function zonesToChoose(ownZone: string | null): string[] {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const first = ownZone === null ? ['UTC', here] : [ownZone, 'UTC', here];
  return [...new Set([...first, ...Intl.supportedValuesOf('timeZone')])];
}
