import { type CalendarNotes, countOf, type ImportTable } from '@sluice/import/read/import-table';
import { Note } from '../../ui/note.tsx';
import { ZoneField } from './zone-field.tsx';

interface CalendarFieldsProps {
  readonly table: ImportTable;
  readonly calendar: CalendarNotes;
  readonly disabled: boolean;
  readonly onZone: (zone: string) => void;
}

/** Asks for the default time zone, and lists what the import simplifies or skips. */
export function CalendarFields({ table, calendar, disabled, onZone }: CalendarFieldsProps) {
  const { zone, ownZone, withoutZone, simplified, leftOut, notes } = calendar;
  return (
    <>
      {withoutZone > 0 && (
        <ZoneField
          usedFor={countOf(table, withoutZone)}
          zone={zone}
          ownZone={ownZone}
          disabled={disabled}
          onZone={onZone}
        />
      )}
      {notes.map((note) => (
        <Note key={note} tone="warn">
          {note}
        </Note>
      ))}
      {simplified.length > 0 && (
        <Note tone="warn">
          {eventNumbers(simplified)}: the recurrence is simplified to daily, weekly, monthly or yearly. The
          rest of the rule is dropped.
        </Note>
      )}
      {leftOut.length > 0 && (
        <Note tone="warn">
          {eventNumbers(leftOut.map(({ row }) => row))}: single days of a recurring event are skipped. Events
          here have no exceptions.
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
