import type { ChannelSettings, SourceSettings } from '@sluice/store/sources/source';
import { type ChangeSourceDeps, changeSource, type SourceChanged } from './change-source.ts';

/** Changes name, rate limits, body storage or the settings of a channel; omitted settings stay. The next request uses the new settings. */
export function changeSettings(
  deps: ChangeSourceDeps,
  sourceId: string,
  settings: SourceSettings & ChannelSettings,
): Promise<SourceChanged> {
  const { name, ...others } = settings;
  // A name that stays is no rename, or lists by change would have the source again.
  return changeSource(deps, sourceId, (source) => (name === source.name ? others : settings));
}
