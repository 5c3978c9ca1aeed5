import { hash } from 'node:crypto';
import type { Action } from '@sluice/contract/event/action';
import { eventIdOf } from '@sluice/contract/event/event-id';
import { readAction } from '@sluice/contract/event/parse-action';
import { parseInstant } from '@sluice/contract/time/instant';
import { zoneClock } from '@sluice/contract/time/zone-clock';
import type { CellError, ImportRow } from '@sluice/dashboard-api/imports';
import type { Source } from '@sluice/store/sources/source';

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

/** The source of an import. Only one that reads `external_id` reads it in rows too. */
export type RowSource = Pick<Source, 'source_id' | 'external_ids'>;

/** Parses a row with the webhook's parser, so that both accept the same values. */
export function readRow({ source_id, external_ids }: RowSource, one: ImportRow): ReadRow {
  const { row, action = 'upsert', event, recurs_until, time_zone } = one;
  const characters = Object.values(event).reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const read = readAction({ action, event }, external_ids);
  switch (read.outcome) {
    case 'valid': {
      const digest = hash(
        'sha256',
        JSON.stringify([row, action, event, recurs_until, time_zone]),
        'hex',
      ).slice(0, 16);
      const event_id = eventIdOf(source_id, read.action);
      return {
        outcome: 'readable',
        row,
        characters,
        action: withSeries(read.action, { recurs_until, time_zone }),
        event_id,
        digest,
      };
    }
    case 'validation_failed':
      return { outcome: 'bad', row, characters, errors: read.errors.map(cellErrorOf) };
    case 'malformed_json':
      return { outcome: 'bad', row, characters, errors: [{ field: null, detail: read.detail }] };
  }
}

/** The webhook has no such fields, so the parser does not know them. An unknown zone is left out. */
function withSeries(
  action: Action,
  { recurs_until: end, time_zone }: Pick<ImportRow, 'recurs_until' | 'time_zone'>,
): Action {
  if (action.kind !== 'upsert' || action.content.recurring === undefined) return action;
  const parsed = end === undefined ? undefined : parseInstant(end);
  const known = time_zone === undefined ? undefined : zoneClock(time_zone);
  return {
    ...action,
    content: {
      ...action.content,
      ...(parsed?.ok === true && { recurs_until: parsed.epochMs }),
      ...(known !== undefined && { time_zone: known.name }),
    },
  };
}

function cellErrorOf({ pointer, detail }: { pointer: string; detail: string }): CellError {
  const [, field] = /^\/event\/(\w+)/.exec(pointer) ?? [];
  return { field: field ?? null, detail };
}
