import type { SourceSettings } from '@sluice/store/sources';
import { type ChangeSourceDeps, changeSource, type SourceChanged } from './change-source.ts';

/** Changes name, rate, or which bodies are kept; what is not named stays. Holds for the very next request. */
export function changeSettings(
  deps: ChangeSourceDeps,
  sourceId: string,
  settings: SourceSettings,
): Promise<SourceChanged> {
  return changeSource(deps, sourceId, settings);
}
