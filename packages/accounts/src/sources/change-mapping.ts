import type { Mapping } from '@sluice/signature/mapping/mapping';
import { type ChangeSourceDeps, changeSource, DECLINED, type SourceChanged } from './change-source.ts';

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
