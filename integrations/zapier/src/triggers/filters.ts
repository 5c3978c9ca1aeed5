/** The filters of a subscription, as input fields. Each narrows one family of event kinds. */
const FILTERS = {
  event: {
    key: 'source_id',
    label: 'Source',
    dynamic: 'sources.id.name',
    helpText: 'Only events of this source. Empty: all sources.',
  },
  lead: {
    key: 'stage',
    label: 'Stage',
    dynamic: 'stages.id.name',
    helpText: 'Only leads in this pipeline stage. Empty: all stages.',
  },
  conversation: {
    key: 'channel_id',
    label: 'Channel',
    dynamic: 'channels.id.name',
    helpText: 'Only conversations of this channel. Empty: all channels.',
  },
} as const;

/** The filters that make sense for an event kind. An erased lead has no stage any longer. */
export function filtersFor(kindId: string) {
  const family = kindId.split('.')[0] as string;
  if (kindId === 'lead.erased' || !(family in FILTERS)) return [];
  return [FILTERS[family as keyof typeof FILTERS]];
}

/** The filter of a subscription from what the user chose. */
export function chosenFilter(inputData: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.values(FILTERS)
      .filter(({ key }) => inputData[key])
      .map(({ key }) => [key, String(inputData[key])]),
  );
}
