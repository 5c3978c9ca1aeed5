import type { MappedBy } from '@sluice/contract/delivery/delivery';
import { readJson } from '@sluice/contract/event/parse-action';
import type { Malformed } from '@sluice/contract/problem/parsed';
import type { Sender } from '../sender/sender.ts';
import { type HeaderOf, type Mapped, mapBody } from './map-body.ts';
import { type Mapping, readMapping } from './mapping.ts';

/** The mapping of a source, ready for use. */
export interface Mapper {
  readonly mapping: Mapping;
  readonly preset: string;
  readonly version: number;
}

/** The mapping of a stored sender; undefined: its bodies are actions. Throws for one that only a newer version knows. */
export function mapperOf(sender: Sender | undefined): Mapper | undefined {
  if (sender?.mapping === undefined) return undefined;
  const read = readMapping(JSON.parse(sender.mapping));
  if (read.outcome === 'invalid') throw new Error(`unknown mapping: ${JSON.stringify(read.errors)}`);
  return { mapping: read.mapping, preset: sender.preset, version: sender.mapping_version ?? 0 };
}

/** Maps the text of a body; undefined stands for one that is not UTF-8. `mapped` is for the delivery log. Never throws. */
export function mapText(
  { mapping, preset, version }: Mapper,
  text: string | undefined,
  headerOf: HeaderOf,
): { readonly result: Mapped | Malformed; readonly mapped: MappedBy } {
  const result = readJson<Mapped>(text, (body) => mapBody(mapping, body, headerOf));
  const rule = 'rule' in result ? result.rule : undefined;
  const notes = result.outcome === 'action' ? result.notes.join(' ') : '';
  const note = notes === '' ? undefined : notes.slice(0, NOTE_LENGTH).toWellFormed();
  return { result, mapped: { preset, version, rule, note } };
}

const NOTE_LENGTH = 1000;
