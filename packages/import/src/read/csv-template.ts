import { EVENT_FIELD_NAMES, EVENT_FIELDS, type EventField } from '@sluice/contract/event-fields';

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
