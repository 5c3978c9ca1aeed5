import type { SourceSettings } from '@sluice/store/sources';
import { type ChangeSourceDeps, changeSource, type SourceChanged } from './change-source.ts';

/** Changes name, rate limits or body storage; omitted settings stay. The next request uses the new settings. */
export function changeSettings(
  deps: ChangeSourceDeps,
  sourceId: string,
  settings: SourceSettings,
): Promise<SourceChanged> {
  return changeSource(deps, sourceId, settings);
}
