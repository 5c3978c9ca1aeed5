import { hash } from 'node:crypto';
import type { Action } from '@sluice/contract/action';
import { eventId } from '@sluice/contract/event-id';
import { readAction } from '@sluice/contract/parse-action';
import type { CellError, ImportRow } from '@sluice/dashboard-api/imports';

export type ReadRow = { readonly row: number; readonly characters: number } & (
  | {
      readonly outcome: 'readable';
      readonly action: Action;
      readonly event_id: string;
      /** 16 hex digits, unique within the import. */
      readonly digest: string;
    }
  | { readonly outcome: 'bad'; readonly errors: CellError[] }
);

/** Parses a row with the webhook's parser, so that both accept the same values. */
export function readRow(sourceId: string, { row, action = 'upsert', event }: ImportRow): ReadRow {
  const characters = Object.values(event).reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const read = readAction({ action, event });
  switch (read.outcome) {
    case 'valid': {
      const digest = hash('sha256', JSON.stringify([row, action, event]), 'hex').slice(0, 16);
      const event_id = eventId(sourceId, read.action.identity);
      return { outcome: 'readable', row, characters, action: read.action, event_id, digest };
    }
    case 'validation_failed':
      return { outcome: 'bad', row, characters, errors: read.errors.map(cellErrorOf) };
    case 'malformed_json':
      return { outcome: 'bad', row, characters, errors: [{ field: null, detail: read.detail }] };
  }
}

function cellErrorOf({ pointer, detail }: { pointer: string; detail: string }): CellError {
  const [, field] = /^\/event\/(\w+)/.exec(pointer) ?? [];
  return { field: field ?? null, detail };
}
