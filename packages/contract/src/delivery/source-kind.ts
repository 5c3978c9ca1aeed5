/** The kinds of webhook sources. A channel sends conversations. A stored source without a kind sends events. */
export const SOURCE_KINDS = ['events', 'channel'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];
