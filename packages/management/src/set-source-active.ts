import { type ChangeSourceDeps, changeSource, type SourceChanged } from './change-source.ts';

/** Switches a source on or off. Off: from the moment this resolves every request of it is refused with 403. */
export function setSourceActive(
  deps: ChangeSourceDeps,
  sourceId: string,
  active: boolean,
): Promise<SourceChanged> {
  return changeSource(deps, sourceId, { active });
}
