import type { KeptRequest, MappedBy } from '@sluice/contract/delivery/delivery';
import { readJson } from '@sluice/contract/event/parse-action';
import type { Malformed } from '@sluice/contract/problem/parsed';
import type { Sender } from '../sender/sender.ts';
import { type HeaderOf, type Mapped, mapBody } from './map-body.ts';
import { type Mapping, readMapping } from './mapping.ts';
import { isForm, readForm } from './read-form.ts';

/** The mapping of a source, ready for use. */
export interface Mapper {
  readonly mapping: Mapping;
  readonly preset: string;
  readonly version: number;
}

/** The mapping of a stored sender; undefined: its bodies are actions. Throws for one that only a newer version knows. */
export function mapperOf(sender: Sender | undefined): Mapper | undefined {
  const mapper = knownMapperOf(sender);
  if (mapper === undefined && sender?.mapping !== undefined)
    throw new Error(`only a newer version knows the mapping of ${sender.preset}`);
  return mapper;
}

/** The same for a page that shows what is stored. A mapping that only a newer version knows counts as none. */
export function knownMapperOf(sender: Sender | undefined): Mapper | undefined {
  if (sender?.mapping === undefined) return undefined;
  const read = readMapping(JSON.parse(sender.mapping));
  if (read.outcome === 'invalid') return undefined;
  return { mapping: read.mapping, preset: sender.preset, version: sender.mapping_version ?? 0 };
}

/**
 * Maps the text of a body; undefined stands for one that is not UTF-8. The header `content-type` tells a form. `mapped` is for the
 * delivery log. Never throws.
 */
export function mapText(
  { mapping, preset, version }: Mapper,
  text: string | undefined,
  headerOf: HeaderOf,
): { readonly result: Mapped | Malformed; readonly mapped: MappedBy } {
  const read = (body: unknown) => mapBody(mapping, body, headerOf);
  const result =
    mapping.form !== undefined && isForm(headerOf('content-type'))
      ? readForm<Mapped>(text, mapping.form.json, read)
      : readJson<Mapped>(text, read);
  const rule = 'rule' in result ? result.rule : undefined;
  const notes = result.outcome === 'action' ? result.notes.join(' ') : '';
  const note = notes === '' ? undefined : notes.slice(0, NOTE_LENGTH).toWellFormed();
  return { result, mapped: { preset, version, rule, note } };
}

/** The headers of a stored request that are known. */
export function storedHeaders({ content_type }: Pick<KeptRequest, 'content_type'>): HeaderOf {
  return (name) => (name === 'content-type' ? content_type : undefined);
}

const NOTE_LENGTH = 1000;
