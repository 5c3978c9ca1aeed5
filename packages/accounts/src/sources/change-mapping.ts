import type { Mapping } from '@sluice/signature/mapping/mapping';
import { presetMapping } from '@sluice/signature/presets/presets';
import type { Sender } from '@sluice/signature/sender/sender';
import type { Source } from '@sluice/store/sources/source';
import type { AuditedChange } from '../audit/audited.ts';
import { type ChangeSourceDeps, changeSource, DECLINED, type SourceChanged } from './change-source.ts';

/**
 * Replaces the mapping of a source. Null: by that of the preset, if it has one; otherwise its bodies are actions again. Declined:
 * the source has no other sender.
 */
export function changeMapping(
  deps: ChangeSourceDeps,
  sourceId: string,
  mapping: Mapping | null,
): Promise<SourceChanged> {
  return changeSource(deps, sourceId, ({ sender }) => {
    if (sender === undefined) return DECLINED;
    const { preset, verify } = sender;
    const text = mapping === null ? presetMapping(sender) : JSON.stringify(mapping);
    return { sender: numbered(sender, { preset, verify, ...(text !== undefined && { mapping: text }) }) };
  });
}

/** A changed sender with the number of its mapping. Numbers count the mappings of a source since it has another sender. */
export function numbered(before: Sender | undefined, sender: Sender): Sender {
  const last = before?.mapping_version ?? 0;
  const mapping_version = sender.mapping === before?.mapping ? last : last + 1;
  return mapping_version === 0 ? sender : { ...sender, mapping_version };
}

/** `changeMapping` with its audit entry. */
export function auditedMappingChange(
  deps: ChangeSourceDeps,
  { source_id, name }: Source,
  mapping: Mapping | null,
): AuditedChange<SourceChanged> {
  const deed = { action: 'source.mapping_changed', target: { id: source_id, name } } as const;
  return {
    intent: deed,
    work: () => changeMapping(deps, source_id, mapping),
    deed: (result) =>
      result.status === 'changed' ? { ...deed, detail: inWords(mapping, result.source) } : undefined,
  };
}

function inWords(mapping: Mapping | null, { sender }: Source): string {
  const version = `version ${sender?.mapping_version ?? 0}`;
  if (mapping !== null) return `${version}, ${mapping.rules.length} rules`;
  return sender?.mapping === undefined ? 'removed' : `${version}, that of ${sender.preset}`;
}
