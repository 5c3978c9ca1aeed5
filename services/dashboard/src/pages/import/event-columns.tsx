import { Button, NativeSelect, TextInput } from '@mantine/core';
import { countOf, type ImportTable } from '@sluice/import/read/import-table';
import { FIELDS, missingFields, REQUIRED } from '@sluice/import/read/mapping';
import type { FormEvent } from 'react';
import { fieldError } from '../../api/api-error.ts';
import { ErrorNote, Note } from '../../ui/states.tsx';
import { number } from '../../ui/words.ts';
import { ColumnSelects } from './file-and-columns.tsx';
import classes from './import.module.css';
import type { useImport } from './use-import.ts';

interface FeedFieldProps {
  readonly pending: boolean;
  readonly error: unknown;
  readonly onUrl: (url: string) => void;
}

/** Takes the URL of a calendar feed instead of a file. */
export function FeedField({ pending, error, onUrl }: FeedFieldProps) {
  const urlError = fieldError(error, '/url');
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onUrl(String(new FormData(event.currentTarget).get('url')));
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <div className={classes.feed}>
        <TextInput
          name="url"
          className={classes.url}
          label="Or an iCalendar feed URL"
          description="Fetched once, now. Later changes to the feed are not imported."
          placeholder="https://example.com/calendar.ics"
          required
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
          error={urlError}
        />
        <Button type="submit" variant="default" loading={pending}>
          Read the feed
        </Button>
      </div>
      {error !== null && urlError === undefined && <ErrorNote error={error} />}
    </form>
  );
}

interface EventColumnsProps {
  readonly one: ReturnType<typeof useImport>;
  readonly table: ImportTable;
}

/** Maps the columns of a CSV file to fields of an event. Of a calendar, it lists what the import simplifies or skips. */
export function EventColumns({ one, table }: EventColumnsProps) {
  const disabled = one.stage.name === 'checking';
  const { calendar } = table;
  const missing = FIELDS.filter(({ name }) => missingFields(one.mapping).includes(name)).map(
    ({ label }) => label,
  );
  const { zone, ownZone, withoutZone } = calendar ?? { ...one, ownZone: null };
  const zoneField = withoutZone > 0 && (
    <NativeSelect
      className={classes.zone}
      label="Default time zone"
      description={`Used for ${countOf(table, withoutZone)} without a time zone. Whole days start at midnight.`}
      disabled={disabled}
      data={zonesToChoose(ownZone)}
      value={zone}
      onChange={(event) => void one.inZone(event.currentTarget.value)}
    />
  );
  if (calendar === undefined)
    return (
      <>
        <ColumnSelects
          table={table}
          fields={FIELDS}
          required={REQUIRED}
          mapping={one.mapping}
          disabled={disabled}
          onChange={one.remap}
        />
        <p className="dimmed small">
          Dates like 2026-12-01T18:00:00+01:00 are read exactly. Dates without an offset are read in the
          default time zone.
        </p>
        {zoneField}
        {missing.length > 0 && <Note tone="info">Choose columns for {missing.join(' and ')}.</Note>}
      </>
    );
  const { simplified, leftOut, notes } = calendar;
  const days = leftOut.filter((one) => one.calendar?.recurrenceId !== '');
  const older = leftOut.filter((one) => one.calendar?.recurrenceId === '');
  return (
    <>
      {zoneField}
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
      {older.length > 0 && (
        <Note tone="warn">
          {eventNumbers(older.map(({ row }) => row))}: the file has a newer version (SEQUENCE), which counts.
        </Note>
      )}
      {days.length > 0 && (
        <Note tone="warn">
          {eventNumbers(days.map(({ row }) => row))}: single days of a recurring event are skipped. Events
          here have no exceptions.
        </Note>
      )}
    </>
  );
}

/** Lists the file's own zone, UTC, the browser's zone, then all others. */
function zonesToChoose(ownZone: string | null): string[] {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const first = ownZone === null ? ['UTC', here] : [ownZone, 'UTC', here];
  return [...new Set([...first, ...Intl.supportedValuesOf('timeZone')])];
}

const SHOWN = 10;

function eventNumbers(rows: readonly number[]): string {
  const more = rows.length > SHOWN ? ` and ${number(rows.length - SHOWN)} more` : '';
  return `${rows.length === 1 ? 'Event' : 'Events'} ${rows.slice(0, SHOWN).join(', ')}${more}`;
}
