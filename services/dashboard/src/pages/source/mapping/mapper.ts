import '@sluice/signature/mapping/without-eval';
import { titleOf } from '@sluice/contract/delivery/action-title';
import type { Action } from '@sluice/contract/event/action';
import { EVENT_FIELDS } from '@sluice/contract/event/event-fields';
import type { Malformed } from '@sluice/contract/problem/parsed';
import type { FieldError } from '@sluice/contract/problem/problem';
import type { Mapped } from '@sluice/signature/mapping/map-body';
import { mapText, storedHeaders } from '@sluice/signature/mapping/mapper';
import { type Mapping, readMapping } from '@sluice/signature/mapping/mapping';
import { parseJson } from '../../../ui/parse-json.ts';
import { utc } from '../../../ui/time.ts';

export type { Mapping } from '@sluice/signature/mapping/mapping';

/** A mapping as typed. `mapping` of null: there is no text, and no mapping. */
export type ReadText =
  | { readonly mapping: Mapping | null }
  | { readonly errors: readonly Pick<FieldError, 'pointer' | 'detail'>[] };

export function readText(text: string): ReadText {
  if (text.trim() === '') return { mapping: null };
  const parsed = parseJson(text);
  if ('error' in parsed) return { errors: [{ pointer: '', detail: parsed.error }] };
  const read = readMapping(parsed.value);
  return read.outcome === 'valid' ? { mapping: read.mapping } : { errors: read.errors };
}

/** What a mapping makes of a body, for people. */
export interface Tried {
  readonly outcome: Action['kind'] | 'ignored' | 'failed';
  /** The index of the rule that decided; null: none. */
  readonly rule: number | null;
  readonly title: string | null;
  readonly details: readonly string[];
  /** The fields of the action, with their labels. */
  readonly fields: readonly (readonly [label: string, value: string])[];
}

const NOTHING = { title: null, fields: [] };

/** A stored body. Of its headers only `contentType` is stored, so conditions on others are not met. */
export interface Stored {
  readonly text: string;
  readonly contentType: string;
}

export function tryMapping(mapping: Mapping, { text, contentType }: Stored): Tried {
  const headerOf = storedHeaders({ content_type: contentType });
  return describe(mapText({ mapping, preset: '', version: 0 }, text, headerOf).result);
}

function describe(mapped: Mapped | Malformed): Tried {
  switch (mapped.outcome) {
    case 'action': {
      const { action, rule, notes } = mapped;
      const title = titleOf(action) ?? action.external_id ?? null;
      return { outcome: action.kind, rule, title, details: notes, fields: fieldsOf(action) };
    }
    case 'ignored':
      return mapped.code === 'no_rule'
        ? { ...NOTHING, outcome: 'ignored', rule: null, details: ['No rule matches this body.'] }
        : { ...NOTHING, outcome: 'ignored', rule: mapped.rule, details: ['The rule ignores this body.'] };
    case 'failed':
      return { ...NOTHING, outcome: 'failed', rule: mapped.rule, details: [mapped.detail] };
    case 'malformed_json':
      return { ...NOTHING, outcome: 'failed', rule: null, details: [mapped.detail] };
  }
}

function fieldsOf(action: Action): (readonly [string, string])[] {
  const { kind, identity, external_id, occurred_at } = action;
  // With an id, the start and location of a cancel or delete mean nothing.
  const named = kind !== 'upsert' && external_id !== undefined ? {} : identity;
  const values = {
    ...named,
    ...(kind === 'upsert' && action.content),
    external_id,
    ...(kind === 'upsert' && { replaces: action.replaces }),
    occurred_at,
  };
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === '') return [];
    const label = Object.hasOwn(EVENT_FIELDS, name) ? EVENT_FIELDS[name as 'title'].label : name;
    return [[label, typeof value === 'number' ? utc(new Date(value).toISOString()) : String(value)] as const];
  });
}
