import type { Mapping } from '@sluice/signature/mapping/mapping';
import type { Source } from '@sluice/store/sources/source';
import { type AuditedChange, knownChange } from '../audit/audited.ts';
import {
  type ChangeSourceDeps,
  changeSource,
  DECLINED,
  isChanged,
  type SourceChanged,
} from './change-source.ts';

/** Replaces the mapping of a source; null removes it. Declined: the source has no other sender. */
export function changeMapping(
  deps: ChangeSourceDeps,
  sourceId: string,
  mapping: Mapping | null,
): Promise<SourceChanged> {
  return changeSource(deps, sourceId, ({ sender }) => {
    if (sender === undefined) return DECLINED;
    const { preset, verify } = sender;
    return { sender: { preset, verify, ...(mapping !== null && { mapping: JSON.stringify(mapping) }) } };
  });
}

/** `changeMapping` with its audit entry. */
export function auditedMappingChange(
  deps: ChangeSourceDeps,
  { source_id, name }: Source,
  mapping: Mapping | null,
): AuditedChange<SourceChanged> {
  const detail = mapping === null ? 'removed' : `${mapping.rules.length} rules`;
  const deed = { action: 'source.mapping_changed', target: { id: source_id, name }, detail } as const;
  return knownChange(deed, () => changeMapping(deps, source_id, mapping), isChanged);
}
