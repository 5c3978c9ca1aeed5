import { spreadsheetText } from '@sluice/contract/spreadsheet-text';
import { type DeliveryItem, deliveryItem, type EXPORT_FORMATS } from '@sluice/dashboard-api/deliveries';

export interface ExportFormat {
  readonly contentType: string;
  /** What stands before the first row. */
  readonly head: string;
  readonly line: (item: DeliveryItem) => string;
}

const COLUMNS = Object.keys(deliveryItem.shape) as (keyof DeliveryItem)[];
const CRLF = '\r\n';
/** Without it spreadsheets take UTF-8 for something else. */
const BOM = '\uFEFF';

/** How the delivery log is written to a file: NDJSON for programs, CSV (RFC 4180) for spreadsheets. */
export const FORMATS: Record<(typeof EXPORT_FORMATS)[number], ExportFormat> = {
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (item) => `${JSON.stringify(item)}\n`,
  },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    head: BOM + COLUMNS.join(',') + CRLF,
    line: (item) => COLUMNS.map((name) => cell(item[name])).join(',') + CRLF,
  },
};

/** Titles come from senders. Quotes keep a cell whole where a program separates by semicolons and tabs too. */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = spreadsheetText(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
