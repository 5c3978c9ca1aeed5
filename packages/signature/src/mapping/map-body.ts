import type { Action } from '@sluice/contract/event/action';
import { type EventField, IDENTITY_FIELDS } from '@sluice/contract/event/event-fields';
import { readActionWithId } from '@sluice/contract/event/parse-action';
import type { FieldError } from '@sluice/contract/problem/problem';
import { parseInstant } from '@sluice/contract/time/instant';
import { zoneClock } from '@sluice/contract/time/zone-clock';
import { pick } from '../sender/pointer.ts';
import { type Condition, type Mapping, TIMES, type Time, type Value } from './mapping.ts';
import { readTimeValue, readValue } from './read-value.ts';

/** What a mapping makes of a body. `rule` is the index of the rule that decided. */
export type Mapped =
  | {
      readonly outcome: 'action';
      readonly rule: number;
      readonly action: Action;
      /** Optional fields that were omitted because they are wrong, in sentences. */
      readonly notes: readonly string[];
    }
  | { readonly outcome: 'ignored'; readonly code: 'ignored_by_rule'; readonly rule: number }
  | { readonly outcome: 'ignored'; readonly code: 'no_rule' }
  /** A rule matched, and a field that its action needs is missing or unreadable. */
  | { readonly outcome: 'failed'; readonly rule: number; readonly detail: string };

type MappedField = EventField | 'replaces';

/** The value of a header; undefined if it is absent. Headers are not signed, so they only choose the rule. */
export type HeaderOf = (name: string) => string | undefined;

/** Maps a parsed body. Never throws. The work is bounded by the limits of a mapping (mapping.ts). */
export function mapBody(mapping: Mapping, body: unknown, headerOf: HeaderOf): Mapped {
  const index = mapping.rules.findIndex(({ when }) => when.every((one) => isMet(one, body, headerOf)));
  const rule = mapping.rules[index];
  if (rule === undefined) return { outcome: 'ignored', code: 'no_rule' };
  if (rule.do === 'ignore') return { outcome: 'ignored', code: 'ignored_by_rule', rule: index };
  const zoneName = mapping.zone && readValue(mapping.zone, body);
  const zone = zoneName === undefined ? undefined : zoneClock(zoneName);
  if (zoneName !== undefined && zone === undefined)
    return { outcome: 'failed', rule: index, detail: `zone: "${zoneName.slice(0, 50)}" is not a time zone.` };
  const wanted = Object.entries(rule.event ?? {}) as [MappedField, Value | Time | undefined][];
  const event: Partial<Record<MappedField, string>> = {};
  for (const [name, value] of wanted) {
    const read = value && (TIMES.has(name) ? readTimeValue(value, body, zone) : readValue(value, body));
    if (read !== undefined) event[name] = read;
  }
  const mapped = actionOf(rule.do, event, index, wanted);
  const time = mapping.occurred_at && readTimeValue(mapping.occurred_at, body, zone);
  if (mapped.outcome !== 'action' || mapped.action.external_id === undefined || time === undefined)
    return mapped;
  const occurred = parseInstant(time);
  if (occurred.ok) return { ...mapped, action: { ...mapped.action, occurred_at: occurred.epochMs } };
  return { ...mapped, notes: [...mapped.notes, `occurred_at was omitted: ${occurred.detail}`] };
}

/**
 * Reads the action by the rules of every request. Wrong fields that do not identify the event cost no event: they are omitted.
 */
function actionOf(
  kind: Action['kind'],
  event: Partial<Record<MappedField, string>>,
  rule: number,
  wanted: readonly (readonly [MappedField, Value | Time | undefined])[],
): Mapped {
  const first = readActionWithId({ action: kind, event });
  if (first.outcome === 'valid') return { outcome: 'action', rule, action: first.action, notes: [] };
  const errors = first.outcome === 'validation_failed' ? first.errors : [];
  const wrong = new Set<string>(errors.map(fieldOf).filter((name) => !identifies(name)));
  const kept = Object.fromEntries(Object.entries(event).filter(([name]) => !wrong.has(name)));
  const second = readActionWithId({ action: kind, event: kept });
  if (second.outcome === 'valid') {
    const notes = errors.map((error) => `${fieldOf(error)} was omitted: ${error.detail}`);
    return { outcome: 'action', rule, action: second.action, notes };
  }
  const needed = errors.filter((error) => identifies(fieldOf(error)));
  const detail = needed.map(
    (error) => `${fieldOf(error)}${placeOf(fieldOf(error), wanted)}: ${error.detail}`,
  );
  return { outcome: 'failed', rule, detail: detail.join(' ') };
}

/** Without a wrong one of these the action would be of another event. */
const IDENTIFIES: ReadonlySet<string> = new Set([...IDENTITY_FIELDS, 'external_id', 'replaces']);
const identifies = (name: string): boolean => IDENTIFIES.has(name);

const fieldOf = ({ pointer }: FieldError): MappedField => pointer.split('/').at(-1) as MappedField;

/** The pointer that a field is read from, so that an admin finds it in the body. */
function placeOf(
  name: MappedField,
  wanted: readonly (readonly [MappedField, Value | Time | undefined])[],
): string {
  const value = wanted.find(([one]) => one === name)?.[1];
  return value?.at === undefined ? '' : ` (${value.at})`;
}

function isMet(condition: Condition, body: unknown, headerOf: HeaderOf): boolean {
  const found =
    condition.header === undefined
      ? pick(body, condition.at ?? '')
      : headerOf(condition.header.toLowerCase());
  const isAbsent = found === undefined || found === null;
  if (condition.exists) return !isAbsent;
  if (condition.absent) return isAbsent;
  if (condition.eq !== undefined) return found === condition.eq;
  if (condition.in !== undefined) return condition.in.some((one) => one === found);
  return typeof found === 'string' && found.startsWith(condition.starts_with ?? '');
}
