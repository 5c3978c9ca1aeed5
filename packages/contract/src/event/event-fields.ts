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

type FieldType =
  /** Milliseconds since the Unix epoch. Senders and the API write it in ISO 8601. */
  | { readonly type: 'instant' }
  /** `max`: longest accepted value in Unicode code points (docs/limits.md). */
  | { readonly type: 'text'; readonly max: number; readonly long?: true }
  /** An http or https URL. */
  | { readonly type: 'url'; readonly max: number }
  /** `none` is the name of the empty choice in a form. */
  | { readonly type: 'choice'; readonly values: readonly [string, ...string[]]; readonly none: string };

export type FieldDeclaration = FieldType & {
  readonly required?: true;
  /** In the dashboard. */
  readonly label: string;
  /** In messages about a wrong value, and in the template for CSV files. */
  readonly example: string;
  /** In the form of the dashboard. */
  readonly placeholder?: string;
  /** The names of columns that hold it, best first: lower-case letters and digits only. */
  readonly columns: string;
  /** The option of `sluice send`, and its help. */
  readonly option: readonly [flags: `--${string} <${string}>`, help: string];
};

const DATETIME = '2026-12-01T18:00:00+01:00';

/**
 * Every field of an event that a sender may send. The parser, the schemas, the store, the dashboard, imports and the command
 * line follow from it. The order is that of messages, lists and forms.
 */
export const EVENT_FIELDS = {
  title: {
    type: 'text',
    max: 500,
    required: true,
    label: 'Title',
    example: 'Open day',
    columns: 'title name subject summary typename',
    option: ['--title <text>', 'name of the event'],
  },
  starts_at: {
    type: 'instant',
    required: true,
    label: 'Starts',
    example: DATETIME,
    columns:
      'startsat start starts startat startdatetime startdateandtime startdate begin begins begindate datetime dtstart date from starttime',
    option: ['--starts-at <datetime>', 'ISO 8601 with an offset (default: UTC)'],
  },
  ends_at: {
    type: 'instant',
    label: 'Ends',
    example: DATETIME,
    columns: 'endsat end ends endat enddatetime enddateandtime enddate dtend until to endtime',
    option: ['--ends-at <datetime>', 'ISO 8601'],
  },
  location: {
    type: 'text',
    max: 500,
    label: 'Location',
    example: 'Berlin',
    columns: 'location place venue venuename city address where',
    option: ['--location <text>', 'city, address or venue'],
  },
  description: {
    type: 'text',
    max: 10_000,
    long: true,
    label: 'Description',
    example: 'A look behind the scenes',
    columns: 'description details text notes',
    option: ['--description <text>', 'short summary'],
  },
  url: {
    type: 'url',
    max: 2_000,
    label: 'URL',
    example: 'https://example.com/open-day',
    placeholder: 'https://',
    columns: 'url link website page',
    option: ['--event-url <url>', 'page of the event'],
  },
  price: {
    type: 'text',
    max: 100,
    label: 'Price',
    example: 'Free',
    placeholder: 'Free',
    columns: 'price cost fee admission',
    option: ['--price <text>', 'price, such as Free or 5 EUR'],
  },
  recurring: {
    type: 'choice',
    values: RECURRENCES,
    none: 'once',
    label: 'Recurring',
    example: 'weekly',
    columns: 'recurring recurrence repeat repeats rrule',
    option: ['--recurring <how>', 'daily, weekly, monthly or yearly'],
  },
  status: {
    type: 'choice',
    values: EVENT_STATUSES,
    none: 'upcoming (default)',
    label: 'Status',
    example: 'upcoming',
    columns: 'status bookingstatus state canceled cancelled iscanceled iscancelled canceledat cancelledat',
    option: ['--status <status>', 'upcoming or cancelled'],
  },
  external_id: {
    type: 'text',
    max: 200,
    label: 'External ID',
    example: 'booking-4711',
    columns: 'externalid',
    option: ['--external-id <id>', "the sender's id of the event"],
  },
} as const satisfies Readonly<Record<string, FieldDeclaration>>;

export type EventField = keyof typeof EVENT_FIELDS;
export const EVENT_FIELD_NAMES = Object.keys(EVENT_FIELDS) as readonly EventField[];

/** The fields of an event in a request. Only an upsert has `replaces`, and it is no field of the event. */
export type SentField = EventField | 'replaces';
export const SENT_FIELD_NAMES: readonly SentField[] = [...EVENT_FIELD_NAMES, 'replaces'];

/** The fields that no sender sends. Only imports know them: the start of the last occurrence, and the IANA zone of a series. */
const SERIES_FIELDS = {
  recurs_until: { type: 'instant' },
  time_zone: { type: 'text', max: 60 },
} as const satisfies Readonly<Record<string, FieldType>>;

type ValueOf<Field> = Field extends { readonly type: 'instant' }
  ? number
  : Field extends { readonly values: readonly (infer Value)[] }
    ? Value
    : string;

type Declared = typeof EVENT_FIELDS & typeof SERIES_FIELDS;

/** The values of all fields. */
export type EventValues = { readonly [Name in keyof Declared]: ValueOf<Declared[Name]> };

type NamesWhere<Shape> = {
  [Name in keyof Declared]: Declared[Name] extends Shape ? Name : never;
}[keyof Declared];
export type RequiredField = NamesWhere<{ readonly required: true }>;
export type InstantField = NamesWhere<{ readonly type: 'instant' }>;

/** The fields that identify an event inside its source, unless it has an `external_id`. */
export const IDENTITY_FIELDS = ['title', 'starts_at', 'location'] as const satisfies readonly EventField[];

/** Title and location are trimmed and in NFC; no location is ''. */
export type EventIdentity = Pick<EventValues, (typeof IDENTITY_FIELDS)[number]>;

/** The fields that an upsert replaces as a whole. Fields that were not sent are absent. */
export type EventContent = Partial<Omit<EventValues, keyof EventIdentity | 'status' | 'external_id'>>;
export type ContentField = keyof EventContent;

const isContent = (name: string): boolean =>
  name !== 'status' && name !== 'external_id' && !(IDENTITY_FIELDS as readonly string[]).includes(name);

/** The fields of the content that a sender may send. */
export type SentContentField = ContentField & EventField;
export const SENT_CONTENT_FIELDS = EVENT_FIELD_NAMES.filter(isContent) as readonly SentContentField[];

/** All fields of the content. */
export const CONTENT_FIELDS: readonly (FieldType & { readonly name: ContentField })[] =
  Object.entries<FieldType>({
    ...EVENT_FIELDS,
    ...SERIES_FIELDS,
  }).flatMap(([name, field]) => (isContent(name) ? [{ ...field, name: name as ContentField }] : []));

/** An object with a value for each field, in their order. */
export function forEachField<Value>(make: (name: EventField) => Value): Record<EventField, Value> {
  const entries = EVENT_FIELD_NAMES.map((name) => [name, make(name)]);
  return Object.fromEntries(entries) as Record<EventField, Value>;
}

/** The option of `sluice send` for a field, and its help. */
export function optionOf(name: SentField): FieldDeclaration['option'] {
  return name === 'replaces'
    ? ['--replaces <id>', 'the external id of the event that this one replaces']
    : EVENT_FIELDS[name].option;
}
