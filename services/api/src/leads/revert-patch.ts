import { isDeepStrictEqual } from 'node:util';
import type { UntoldChange } from '@sluice/contract/change';
import type { LeadPatch } from '@sluice/contract/lead';
import { LEAD_TEXT_FIELDS } from '@sluice/dashboard-api/lead-names';

type Values = Readonly<Record<string, unknown>>;

/**
 * The merge patch that takes changes of a lead back. `record`: the lead as the API returns it. `changes`: its last changes, newest
 * first. An empty patch: there is nothing to take back.
 */
export function revertPatch(record: Values, changes: readonly UntoldChange[]): LeadPatch {
  const before = changes.reduce<Values>((state, { previous }) => ({ ...state, ...previous }), record);
  const now = (record.fields ?? {}) as Values;
  // `previous` has only the custom fields that differed; null: the field was not there.
  const fieldsBefore = changes.reduce<Values>(
    (state, { previous }) => ({ ...state, ...(previous?.fields as Values | undefined) }),
    now,
  );
  const patch = differing([...LEAD_TEXT_FIELDS, 'stage', 'tags'], before, record);
  const fields = differing(Object.keys(fieldsBefore), fieldsBefore, now);
  // The values were valid when they were stored.
  return (Object.keys(fields).length === 0 ? patch : { ...patch, fields }) as LeadPatch;
}

function differing(names: readonly string[], before: Values, now: Values): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = before[name] ?? null;
      return isDeepStrictEqual(value, now[name] ?? null) ? [] : [[name, value]];
    }),
  );
}
