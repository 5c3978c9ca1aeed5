import type { ImportRow } from '@sluice/dashboard-api/imports';
import { IMPORT_CELL_LENGTH } from '@sluice/dashboard-api/limits';
import { endOfRule, hasEnd } from './end-of-rule.ts';
import type { TableRow } from './import-table.ts';
import { FIELDS, type Field } from './mapping.ts';
import type { RowSettings } from './row-settings.ts';
import { TIMES, timeNotes, timeOf, zoneOfCells, zoneOfStart } from './row-times.ts';
import { ruleIn, tidyEvent } from './tidy-event.ts';

export interface ReadRow {
  readonly row: ImportRow;
  /** Sentences: each names a value that was left out, cut, simplified or read in an unusual format. */
  readonly notes: readonly string[];
}

/** The fields that identify an event. A cancel needs only these. */
const IDENTITY: readonly Field[] = ['title', 'starts_at', 'location'];

/** Converts a row for the API, without its empty cells. */
export function readRow({ row, cells, calendar }: TableRow, settings: RowSettings): ReadRow {
  const cancels = calendar?.cancels === true;
  const textOf = (field: Field): string => {
    const column = settings.mapping[field];
    return column === undefined ? '' : (cells[column] ?? '').trim();
  };
  const event: Partial<Record<Field, string>> = {};
  for (const { name } of FIELDS) {
    if (PARTS.has(name) || (cancels && !IDENTITY.includes(name))) continue;
    const text = TIMES.has(name) ? timeOf(name as 'starts_at' | 'ends_at', textOf, settings) : textOf(name);
    if (text !== '') event[name] = text;
  }
  const tidy = tidyEvent(event);
  const timeZone =
    event.recurring === undefined ? undefined : (calendar?.timeZone ?? zoneOfCells(textOf, settings));
  const rule = tidy.event.recurring === undefined ? undefined : ruleIn(event.recurring ?? '');
  const end =
    calendar?.recursUntil ?? (rule && endOfRule(rule, event.starts_at ?? '', zoneOfStart(textOf, settings)));
  const kept = Object.entries(tidy.event).map(([name, text]) => [name, text?.slice(0, IMPORT_CELL_LENGTH)]);
  return {
    row: {
      row,
      ...(cancels && { action: 'cancel' as const }),
      event: Object.fromEntries(kept),
      ...(end !== undefined && { recurs_until: end }),
      ...(timeZone !== undefined && { time_zone: timeZone }),
    },
    notes: [
      ...(calendar?.notes ?? []),
      ...timeNotes(textOf, settings),
      ...tidy.notes,
      ...(rule !== undefined && hasEnd(rule) && end === undefined ? [ENDLESS] : []),
    ],
  };
}

const ENDLESS = 'The end of the rule cannot be computed. The series has no end now.';

const PARTS: ReadonlySet<Field> = new Set(['starts_time', 'ends_time', 'all_day', 'time_zone']);
