import type { PendingChange } from '@sluice/contract/message/change';
import { formatInstant } from '@sluice/contract/time/instant';
import type { LeadFieldChange, LeadHistoryItem } from '@sluice/dashboard-api/leads';
import type { RouteDeps } from '../parts.ts';

/** Fields that follow from others, or that the history shows anyway. */
const NOT_SHOWN = new Set([
  'id',
  'origin',
  'phone_e164',
  'created_at',
  'updated_at',
  'stage_changed_at',
  'revision',
]);

type Values = Readonly<Record<string, unknown>>;

/** Describes a change of a lead for its history. `names`: the display names of actors by their ids. */
export function describeChange(change: PendingChange, names: ReadonlyMap<string, string>): LeadHistoryItem {
  const { sequence, kind, at, actor, note } = change;
  return {
    sequence,
    at: formatInstant(at),
    kind,
    actor: { type: actor.type, id: actor.id, name: names.get(actor.id) ?? null },
    imported: actor.import_id !== undefined,
    changes: changesOf(change),
    note: note ?? null,
  };
}

/** A created lead has every filled field as a change. Of another change, `previous` names the fields. */
function changesOf({ data, previous }: PendingChange): LeadFieldChange[] {
  const before: Values = previous ?? {};
  return Object.keys(previous ?? data)
    .filter((field) => !NOT_SHOWN.has(field))
    .flatMap((field) =>
      field === 'fields'
        ? customChanges(before[field], data[field])
        : oneChange(field, before[field], data[field]),
    );
}

/** `previous` of a change has the custom fields that differ. */
function customChanges(before: unknown, after: unknown): LeadFieldChange[] {
  const later = (after ?? {}) as Values;
  const earlier = before as Values | undefined;
  return Object.keys(earlier ?? later).flatMap((name) =>
    oneChange(`fields.${name}`, earlier?.[name], own(later, name)),
  );
}

/** A field may be named like a property of every object, such as `constructor`. */
const own = (fields: Values, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

function oneChange(field: string, before: unknown, after: unknown): LeadFieldChange[] {
  const change = { field, before: shown(before), after: shown(after) };
  return change.before === change.after ? [] : [change];
}

/** A value as displayed; null: there is none. */
function shown(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** The display names of the authors of changes, by id: email addresses of members, names of API keys and channels. */
export async function actorNames(
  { users, apiKeys, sources }: RouteDeps,
  accountId: string,
  changes: readonly PendingChange[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (type: PendingChange['actor']['type']) => [
    ...new Set(changes.flatMap(({ actor }) => (actor.type === type ? [actor.id] : []))),
  ];
  const [people, keys, channels] = await Promise.all([
    users.findUsers(idsOf('member')),
    Promise.all(idsOf('api_key').map((id) => apiKeys.findApiKey(id))),
    Promise.all(idsOf('source').map((id) => sources.findSource(id))),
  ]);
  const own = [...keys, ...channels].filter((one) => one?.account_id === accountId);
  return new Map([
    ...people.map(({ user_id, email }) => [user_id, email] as const),
    ...own.flatMap((one) => {
      if (one === undefined) return [];
      return [['key_id' in one ? one.key_id : one.source_id, one.name] as const];
    }),
  ]);
}
