import { NativeSelect } from '@mantine/core';
import { Note } from '../../ui/note.tsx';
import type { CalendarNotes } from './calendar-notes.ts';
import classes from './import.module.css';
import { countOf, type ImportTable } from './import-table.ts';

interface CalendarFieldsProps {
  readonly table: ImportTable;
  readonly calendar: CalendarNotes;
  readonly disabled: boolean;
  readonly onZone: (zone: string) => void;
}

/** Asks for the default time zone, and lists what the import simplifies or skips. */
export function CalendarFields({ table, calendar, disabled, onZone }: CalendarFieldsProps) {
  const { zone, ownZone, withoutZone, simplified, leftOut } = calendar;
  return (
    <>
      {withoutZone > 0 && (
        <NativeSelect
          className={classes.zone}
          label="Default time zone"
          description={`Used for ${countOf(table, withoutZone)} without a time zone. Whole days start at midnight.`}
          disabled={disabled}
          data={zonesToChoose(ownZone)}
          value={zone}
          onChange={(event) => onZone(event.currentTarget.value)}
        />
      )}
      {simplified.length > 0 && (
        <Note tone="warn">
          {eventNumbers(simplified)}: the recurrence is simplified to daily, weekly, monthly or yearly. The
          rest of the rule is dropped.
        </Note>
      )}
      {leftOut.length > 0 && (
        <Note tone="warn">
          {eventNumbers(leftOut)}: single days of a recurring event are skipped. Events here have no
          exceptions.
        </Note>
      )}
    </>
  );
}

const SHOWN = 10;

function eventNumbers(rows: readonly number[]): string {
  const more = rows.length > SHOWN ? ` and ${(rows.length - SHOWN).toLocaleString('en')} more` : '';
  return `${rows.length === 1 ? 'Event' : 'Events'} ${rows.slice(0, SHOWN).join(', ')}${more}`;
}

/** Lists the calendar's own zone, UTC, the browser's zone, then all others. */
function zonesToChoose(ownZone: string | null): string[] {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const first = ownZone === null ? ['UTC', here] : [ownZone, 'UTC', here];
  return [...new Set([...first, ...Intl.supportedValuesOf('timeZone')])];
}
