import { spreadsheetText } from '@sluice/contract/spreadsheet-text';
import type { LeadItem } from '@sluice/dashboard-api/leads';

/** The columns of an export. An import recognises their names. */
const COLUMNS = [
  ...['name', 'company', 'email', 'phone', 'phone_e164', 'stage', 'external_id', 'tags', 'note'],
  ...['origin', 'id', 'conversation_id', 'created_at', 'updated_at', 'stage_changed_at'],
] as const;

const CRLF = '\r\n';
/** Without a BOM, spreadsheets misread UTF-8. */
const BOM = '\uFEFF';

export interface LeadCsv {
  readonly head: string;
  readonly line: (lead: LeadItem) => string;
}

/**
 * The format of an export: CSV (RFC 4180) for spreadsheets. `customFields` are the names of further columns. `stageNames`:
 * by id.
 */
export function leadCsv(customFields: readonly string[], stageNames: ReadonlyMap<string, string>): LeadCsv {
  const textAt = (lead: LeadItem, column: (typeof COLUMNS)[number]): string | null => {
    if (column === 'stage') return stageNames.get(lead.stage) ?? lead.stage;
    return column === 'tags' ? lead.tags.join(', ') : (lead[column as keyof LeadItem] as string | null);
  };
  const row = (cells: readonly (string | number | boolean | null)[]) => cells.map(cell).join(',') + CRLF;
  return {
    head: BOM + row([...COLUMNS, ...customFields]),
    line: (lead) =>
      row([
        ...COLUMNS.map((column) => textAt(lead, column)),
        // A field may be named like a property of every object, such as `constructor`.
        ...customFields.map((name) => (Object.hasOwn(lead.fields, name) ? lead.fields[name] : null) ?? null),
      ]),
  };
}

/** Quotes keep a cell intact in programs that also split at semicolons and tabs. */
function cell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = spreadsheetText(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
