import { EVENT_FIELD_NAMES, EVENT_FIELDS, type EventField } from '@sluice/contract/event/event-fields';
import type { ImportRow } from '@sluice/dashboard-api/imports';
import { guessColumns, type KnownField, plainName } from './guess-columns.ts';
import type { ImportTable } from './import-table.ts';

/**
 * The columns of Outlook's export in German, French, Spanish, Italian, Portuguese and Dutch, as plain names. Spanish has one word for
 * the time and, in other programs, for the date: the date takes its own first.
 */
const OUTLOOK_COLUMNS = {
  title: 'betreff objet asunto oggetto assunto onderwerp titel titre titulo titolo',
  starts_at:
    'beginntam beginndatum datededebut debutle debut fechadecomienzo fechadeinicio datainizio datadiinizio datadeinicio begindatum startdatum beginn comienzo inizio inicio',
  starts_time:
    'beginntum beginnzeit heurededebut debuta comienzo horadecomienzo horadeinicio orainizio oradiinizio begintijd starttijd startzeit',
  ends_at:
    'endetam enddatum datedefin finle fin fechadefinalizacion fechadefin datafine datadifine datadetermino datadeconclusao einddatum ende finalizacion fine termino',
  ends_time:
    'endetum endzeit heuredefin fina finalizacion horadefinalizacion horadefin orafine oradifine horadetermino horadeconclusao eindtijd',
  all_day:
    'ganztagigesereignis ganztagig journeeentiere todoeldia giornataintera eventodediainteiro odiainteiro diainteiro heledag gebeurtenisduurtheledag',
  location:
    'ort emplacement lieu ubicacion lugar luogo posizione ubicazione localizacao local locatie plaats',
  description: 'beschreibung descripcion descrizione descricao beschrijving',
};

/** A field of an event, or a part of one that spreadsheets keep in a separate column. */
export type Field = keyof ImportRow['event'] | 'starts_time' | 'ends_time' | 'all_day' | 'time_zone';

/** Their place among the other fields is by hand: start and end take the columns that no time of day has taken. */
const TIMED: readonly EventField[] = ['title', 'starts_at', 'ends_at'];

/** The fields a column can map to. A column name is compared without `event` before it. */
export const FIELDS: readonly KnownField<Field>[] = [
  known('title'),
  known('starts_at'),
  { name: 'starts_time', label: 'Start time', known: 'starttime startstime begintime timefrom time' },
  known('ends_at'),
  { name: 'ends_time', label: 'End time', known: 'endtime endstime timeto' },
  { name: 'all_day', label: 'All day', known: 'alldayevent allday wholeday' },
  { name: 'time_zone', label: 'Time zone', known: 'timezone tz zone' },
  ...EVENT_FIELD_NAMES.filter((name) => !TIMED.includes(name)).map(known),
];

const OF_OUTLOOK: Readonly<Partial<Record<Field, string>>> = OUTLOOK_COLUMNS;
const WITH_OUTLOOK = FIELDS.map((one) => ({
  ...one,
  known: `${one.known} ${OF_OUTLOOK[one.name] ?? ''}`,
}));

function known(name: EventField): KnownField<Field> {
  const { label, columns } = EVENT_FIELDS[name];
  return { name, label, known: columns };
}

export const REQUIRED: readonly Field[] = ['title', 'starts_at'];

/** The properties of a calendar as columns, each with its fixed field. */
export const CALENDAR_COLUMNS = [
  { property: 'SUMMARY', field: 'title' },
  { property: 'DTSTART', field: 'starts_at' },
  { property: 'DTEND', field: 'ends_at' },
  { property: 'LOCATION', field: 'location' },
  { property: 'DESCRIPTION', field: 'description' },
  { property: 'URL', field: 'url' },
  { property: 'RRULE', field: 'recurring' },
  { property: 'STATUS', field: 'status' },
] as const satisfies readonly { readonly property: string; readonly field: keyof ImportRow['event'] }[];

/** The column index of each field; absent if the file has none. */
export type Mapping = Readonly<Partial<Record<Field, number>>>;

/** Guesses the column of each field. */
export function guessMapping({ format, columns }: Pick<ImportTable, 'format' | 'columns'>): Mapping {
  if (format === 'ical')
    return Object.fromEntries(CALENDAR_COLUMNS.map(({ field }, index) => [field, index]));
  return guessColumns(WITH_OUTLOOK, columns.map(withoutEvent));
}

/** `EVENT START DATE` is `startdate`, and `event` alone is the title. */
function withoutEvent(column: string): string {
  const plain = plainName(column);
  return plain === 'event' ? 'title' : plain.replace(/^event(?=.)/, '');
}

/** Whether these cells are column names from which the needed fields can be guessed. */
export function isHead(columns: readonly string[]): boolean {
  return missingFields(guessMapping({ format: 'csv', columns })).length === 0;
}

export function missingFields(mapping: Mapping): Field[] {
  return REQUIRED.filter((field) => mapping[field] === undefined);
}

/** Values as people write them in a spreadsheet. The other fields have the example of their declaration. */
const CELLS: Readonly<Partial<Record<EventField, string>>> = {
  title: 'Open evening',
  starts_at: '2027-03-01 18:00',
  ends_at: '2027-03-01 20:00',
  location: '"Town hall, Berlin"',
  url: 'https://www.example.org/open-evening',
  price: '5 EUR',
  recurring: '',
};

/** A CSV file to fill in: the fields of an event, and a row that shows how each is written. */
export const CSV_TEMPLATE = [
  EVENT_FIELD_NAMES.join(','),
  EVENT_FIELD_NAMES.map((name) => CELLS[name] ?? EVENT_FIELDS[name].example).join(','),
  '',
].join('\r\n');
