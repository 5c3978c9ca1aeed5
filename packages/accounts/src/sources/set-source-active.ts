import { type ChangeSourceDeps, changeSource, type SourceChanged } from './change-source.ts';

/** Switches a source on or off. Once this resolves, every request of an inactive source is rejected with 403. */
export function setSourceActive(
  deps: ChangeSourceDeps,
  sourceId: string,
  active: boolean,
): Promise<SourceChanged> {
  return changeSource(deps, sourceId, { active });
}
