/** A VEVENT as the fields of an event (service.md 2.4), in the texts that the parser of actions reads. */
export interface CalendarRow {
  /** Which VEVENT of the file it is, counted from 1. */
  readonly row: number;
  /** The line it begins on. */
  readonly line: number;
  readonly action: 'upsert' | 'cancel';
  readonly event: Readonly<Partial<Record<CalendarField, string>>>;
  /** The line that each field stands on. */
  readonly lines: Readonly<Partial<Record<CalendarField, number>>>;
  /** Why it cannot be imported. */
  readonly errors: readonly CalendarError[];
}

export type CalendarField =
  | 'title'
  | 'starts_at'
  | 'ends_at'
  | 'location'
  | 'description'
  | 'url'
  | 'recurring';

export interface CalendarError {
  /** null: the event as a whole. */
  readonly field: CalendarField | null;
  readonly line: number;
  readonly detail: string;
}
