import type { Page } from 'playwright-core';

/** The header line of a CSV file whose columns the page guesses. */
export const HEAD = 'Event name,Begin,Where,Cost';
export const FILE = [
  HEAD,
  'Spring fair,2030-04-01T10:00:00+02:00,Berlin,Free',
  'Known one,2030-05-01T10:00:00Z,,12 €',
  '',
  '"=HYPERLINK(""http://example.com"")",30 February,Berlin;=1+1,',
].join('\r\n');

/** Chooses a file on the import page. */
export function choose(page: Page, content: string | Buffer, name = 'spring.csv'): Promise<void> {
  const mimeType = name.endsWith('.csv') ? 'text/csv' : 'text/calendar';
  const file = { name, mimeType, buffer: Buffer.from(content as string) };
  return page.getByLabel('CSV or iCalendar file').setInputFiles(file);
}

export const CALENDAR = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'SUMMARY:Spring fair',
  'DTSTART;TZID=Europe/Berlin:20300401T100000',
  'LOCATION:Main hall\\, Berlin',
  'RRULE:FREQ=WEEKLY;BYDAY=MO,TU',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'SUMMARY:Known one',
  'DTSTART:20300501T100000Z',
  'STATUS:CANCELLED',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'SUMMARY:Bad day',
  'DTSTART;VALUE=DATE:20300230',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'SUMMARY:Bad address',
  'DTSTART;VALUE=DATE:20300601',
  'URL:message:1',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'SUMMARY:Holiday',
  'DTSTART;VALUE=DATE:20300701',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');
