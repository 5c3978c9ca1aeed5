import type { Channel, Source } from './source.ts';

/** Returns whether a source sends conversations. In a separate file, so that its callers need not load mongoose. */
export function isChannel(source: Source): source is Channel {
  return source.kind === 'channel';
}
