import type { Action } from '@sluice/contract/event/action';
import type { EventContent, EventIdentity } from '@sluice/contract/event/event-fields';
import type { CheckedRow, ImportRow } from '@sluice/dashboard-api/imports';
import type { StoredEvent } from '@sluice/store/events/event-document';
import type { Events } from '@sluice/store/events/events';
import type { RowSource } from './action-of-row.ts';
import { addressRows } from './address-rows.ts';

export interface CheckRowsDeps {
  readonly events: Pick<Events, 'loadPortion' | 'identitiesAt'>;
}

/** Returns what each row would do to the stored events, in the same order. Changes nothing. */
export async function checkRows(
  { events }: CheckRowsDeps,
  source: RowSource,
  rows: readonly ImportRow[],
): Promise<CheckedRow[]> {
  const read = await addressRows(events, source, rows);
  const ids = [...new Set(read.flatMap((one) => (one.outcome === 'readable' ? [one.event_id] : [])))];
  const stored = new Map<string, StoredEvent['state']>();
  for (let wanted: readonly string[] = ids; wanted.length > 0; ) {
    const portion = await events.loadPortion(wanted);
    // Only the state is kept, because events with an import mark are several times as large.
    for (const [id, { state }] of portion.events) stored.set(id, state);
    wanted = portion.unread;
  }
  return read.map((one, index) => {
    if (one.outcome === 'bad') return { row: one.row, verdict: 'bad', errors: one.errors };
    const { row, event_id, action } = one;
    const state = stored.get(event_id);
    // The cancel of a day never cancels its series, which has the same identity on its first day.
    if (
      rows[index]?.calendar_id?.recurrence_id &&
      action.kind === 'cancel' &&
      state?.content?.value.recurring
    )
      return { row, event_id, verdict: 'nothing' };
    return { row, event_id, verdict: verdictOn(action, state) };
  });
}

type Verdict = Exclude<CheckedRow, { verdict: 'bad' }>['verdict'];

function verdictOn(action: Action, state: StoredEvent['state'] | undefined): Verdict {
  const isThere = state !== undefined && state.content !== null;
  if (action.kind !== 'upsert') {
    if (!isThere) return 'nothing';
    return state.status?.value === 'cancelled' ? 'unchanged' : 'cancel';
  }
  if (!isThere) return 'new';
  const isSame =
    state.status?.value === action.status &&
    sameFields(state.content?.value ?? {}, action.content) &&
    (state.named === undefined || sameFields(state.named.value, action.identity));
  return isSame ? 'unchanged' : 'update';
}

function sameFields<Fields extends EventContent | EventIdentity>(one: Fields, other: Fields): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof Fields>;
  return [...names].every((name) => one[name] === other[name]);
}
