import { MINUTE_MS, SECOND_MS } from '@sluice/contract/time/durations';
import { formatInstant, parseInstant } from '@sluice/contract/time/instant';
import type { ZoneClock } from '@sluice/contract/time/zone-clock';
import { pick } from '../sender/pointer.ts';
import { type Leaf, MAX_SCANNED, type Time, type Value } from './mapping.ts';

/** The text of a value of a mapping; undefined if the body has none. Numbers and booleans become text. */
export function readValue(value: Value, body: unknown): string | undefined {
  return changed(value, sourceOf(value, body));
}

function sourceOf({ any, join, ...leaf }: Value, body: unknown): string | undefined {
  if (any !== undefined) return firstOf(any, body);
  if (join === undefined) return leafOf(leaf, body);
  const parts = join.map((part) => (typeof part === 'string' ? part : readLeaf(part, body)));
  // A text that lacks one of its parts would name something else.
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
}

function firstOf(leaves: readonly Leaf[], body: unknown): string | undefined {
  for (const leaf of leaves) {
    const text = readLeaf(leaf, body);
    if (text !== undefined) return text;
  }
  return undefined;
}

const readLeaf = (leaf: Leaf, body: unknown): string | undefined => changed(leaf, leafOf(leaf, body));

function leafOf(leaf: Pick<Leaf, 'at' | 'const' | 'find'>, body: unknown): string | undefined {
  if (leaf.const !== undefined) return textOf(leaf.const);
  if (leaf.at !== undefined) return textOf(pick(body, leaf.at));
  return leaf.find === undefined ? undefined : found(leaf.find, body);
}

function found({ in: list, where, at }: NonNullable<Leaf['find']>, body: unknown): string | undefined {
  const elements = pick(body, list);
  if (!Array.isArray(elements)) return undefined;
  const element = elements.slice(0, MAX_SCANNED).find((one) => pick(one, where.at) === where.eq);
  return element === undefined ? undefined : textOf(pick(element, at));
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function changed(
  { before, after, values, or }: Leaf | Value,
  source: string | undefined,
): string | undefined {
  let text = source;
  if (before !== undefined) text = cut(text, before, (at) => [0, at]);
  if (after !== undefined) text = cut(text, after, (at) => [at + after.length, undefined]);
  if (values !== undefined)
    text = text !== undefined && Object.hasOwn(values, text) ? values[text] : undefined;
  return text ?? or;
}

function cut(
  text: string | undefined,
  literal: string,
  range: (at: number) => readonly [from: number, to: number | undefined],
): string | undefined {
  const at = text?.indexOf(literal) ?? -1;
  return at === -1 ? undefined : textOf(text?.slice(...range(at)));
}

const OFFSET = /(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * The time of a mapping in a form that an event may have; a text that is no time is returned unchanged, so that the check of the action
 * explains it. `zone` is that of times without an offset; undefined: UTC.
 */
export function readTimeValue(time: Time, body: unknown, zone: ZoneClock | undefined): string | undefined {
  const { unit, plus_minutes: later } = time;
  const text = time.date === undefined ? readValue(time, body) : dateAndTime(time, body);
  if (text === undefined) return undefined;
  const isLocal = zone !== undefined && !OFFSET.test(text.slice('YYYY-MM-DD'.length));
  if (unit === undefined && later === undefined && !isLocal) return text;
  const instant = instantOf(text, unit, isLocal ? zone : undefined);
  return instant === undefined ? text : formatted(instant + (later ?? 0) * MINUTE_MS, text);
}

/** Unix time can lie outside the years that an event can have. */
function formatted(epochMs: number, text: string): string {
  return Math.abs(epochMs) <= MAX_DATE_MS ? formatInstant(epochMs) : text;
}
const MAX_DATE_MS = 8.64e15;

function dateAndTime({ date, time }: Time, body: unknown): string | undefined {
  const [day, hour] = [date && readValue(date, body), time && readValue(time, body)];
  return day === undefined || hour === undefined ? undefined : `${day}T${hour}`;
}

function instantOf(text: string, unit: Time['unit'], zone: ZoneClock | undefined): number | undefined {
  if (unit !== undefined)
    return /^\d{1,15}$/.test(text) ? Number(text) * (unit === 's' ? SECOND_MS : 1) : undefined;
  const parsed = parseInstant(text);
  if (!parsed.ok) return undefined;
  return zone === undefined ? parsed.epochMs : zone.toInstant(parsed.epochMs);
}
