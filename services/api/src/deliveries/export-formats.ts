import { spreadsheetText } from '@sluice/contract/spreadsheet-text';
import { type DeliveryItem, deliveryItem, type EXPORT_FORMATS } from '@sluice/dashboard-api/deliveries';

export interface ExportFormat {
  readonly contentType: string;
  /** Written before the first row. */
  readonly head: string;
  readonly line: (item: DeliveryItem) => string;
}

const COLUMNS = Object.keys(deliveryItem.shape) as (keyof DeliveryItem)[];
const CRLF = '\r\n';
/** Without a BOM, spreadsheets misread UTF-8. */
const BOM = '\uFEFF';

/** File formats of the delivery log: NDJSON for programs, CSV (RFC 4180) for spreadsheets. */
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

/** Senders choose the titles. Quotes keep a cell intact in programs that also split at semicolons and tabs. */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = spreadsheetText(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
