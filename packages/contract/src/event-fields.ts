/** How often an event recurs; absent means once. */
export const RECURRENCES = ['daily', 'weekly', 'monthly', 'yearly'] as const;
export type Recurrence = (typeof RECURRENCES)[number];

export const EVENT_STATUSES = ['upcoming', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The formats of imports: a CSV file, or an iCalendar file or feed. */
export const IMPORT_FORMATS = ['csv', 'ical'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** The origin of an event's content: the webhook, or an import. */
export const EVENT_ORIGINS = ['webhook', ...IMPORT_FORMATS] as const;
export type EventOrigin = (typeof EVENT_ORIGINS)[number];

/** Longest accepted value of each text field, in Unicode code points (docs/limits.md). */
export const MAX_LENGTH = { title: 500, location: 500, description: 10_000, url: 2_000, price: 100 } as const;

/** The fields that identify an event inside its source. Title and location are trimmed and in NFC; no location is ''. */
export interface EventIdentity {
  readonly title: string;
  /** Milliseconds since the Unix epoch. */
  readonly starts_at: number;
  readonly location: string;
}

/** The fields that an upsert replaces as a whole. Fields that were not sent are absent. */
export interface EventContent {
  /** Milliseconds since the Unix epoch. */
  readonly ends_at?: number;
  readonly description?: string;
  readonly url?: string;
  readonly price?: string;
  readonly recurring?: Recurrence;
  /** The start of the last occurrence, in milliseconds since the Unix epoch. Only imports of calendars know it. */
  readonly recurs_until?: number;
  /** The IANA time zone whose clocks a series follows. Only imports know it. */
  readonly time_zone?: string;
}
