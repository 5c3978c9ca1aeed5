/** A VEVENT as the fields of an event (docs/importing-events.md). The values are texts that the action parser accepts. */
export interface CalendarRow {
  /** Index of the VEVENT in the file, counted from 1. */
  readonly row: number;
  /** The line it begins on. */
  readonly line: number;
  readonly action: 'upsert' | 'cancel';
  /** Absent if the event has none. */
  readonly uid?: string;
  /** Identifies a changed day of a series: an instant, or a date without a zone. '' for any other event. */
  readonly recurrenceId: string;
  /** Its title began with a word such as "Canceled:", which Outlook writes. The title here is without it. */
  readonly saysCancelled: boolean;
  readonly event: Readonly<Partial<Record<CalendarField, string>>>;
  /** When the last occurrence of a recurring event starts, as ISO 8601. Absent if there is no end. */
  readonly recursUntil?: string;
  /** The IANA name of the zone of a recurring event. Absent if the calendar's description of the zone fits none. */
  readonly timeZone?: string;
  /** The line of each field. */
  readonly lines: Readonly<Partial<Record<CalendarField, number>>>;
  /** Why the event can't be imported. */
  readonly errors: readonly CalendarError[];
  /** Sentences: each names a value that was left out or read differently. The event is imported without it. */
  readonly notes: readonly string[];
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
