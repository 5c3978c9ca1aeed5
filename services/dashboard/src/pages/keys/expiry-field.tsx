import { SegmentedControl, TextInput } from '@mantine/core';
import { DAY_MS } from '@sluice/contract/time/durations';
import { useId } from 'react';
import { localDay, shortDay } from '../../ui/time.ts';
import classes from './expiry-field.module.css';

const CHOICES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'Date' },
  { value: 'never', label: 'Never' },
];

/** The choices when a key is rotated. The first one is the expiry of the old key. */
const CHOICES_AGAIN = [{ value: 'same', label: 'Same' }, ...CHOICES.filter(({ value }) => value !== 'never')];

export interface Expiry {
  readonly choice: string;
  /** The date for the choice `date`, such as `2026-12-31`. */
  readonly date: string;
}

interface ExpiryFieldProps {
  readonly value: Expiry;
  readonly onChange: (expiry: Expiry) => void;
  readonly error: string | undefined;
  /** The expiry of the key to replace; null if it never expires. */
  readonly before?: string | null;
}

export function ExpiryField({ value, onChange, error, before }: ExpiryFieldProps) {
  const id = useId();
  return (
    <div className="stack-tiny">
      <span id={id} className="strong">
        Expires
      </span>
      <SegmentedControl
        aria-labelledby={id}
        data={before === undefined ? CHOICES : CHOICES_AGAIN}
        value={value.choice}
        onChange={(choice) => onChange({ ...value, choice })}
        className={classes.choices}
      />
      {value.choice === 'date' && (
        <TextInput
          type="date"
          aria-label="Expiry date"
          required
          min={localDay(Date.now() + DAY_MS)}
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.currentTarget.value })}
        />
      )}
      <span className="dimmed small">{effectOf(value, expiresAt(value, Date.now(), before))}</span>
      {error !== undefined && <span className="wrong">{error}</span>}
    </div>
  );
}

function effectOf({ choice }: Expiry, at: string | null): string {
  if (at !== null) return `Stops working on ${shortDay(at)}.`;
  if (choice === 'date') return 'Choose the last day on which it works.';
  return 'Works until an admin revokes it. Choose a date for temporary integrations.';
}

/** Converts a choice to an instant. A day ends at midnight in the viewer’s time zone; null means never. */
export function expiresAt(
  { choice, date }: Expiry,
  nowMs: number,
  before: string | null = null,
): string | null {
  if (choice === 'same') return before;
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(nowMs + Number(choice) * DAY_MS).toISOString();
  const endOfDay = new Date(`${date}T23:59:59`);
  return Number.isNaN(endOfDay.getTime()) ? null : endOfDay.toISOString();
}
