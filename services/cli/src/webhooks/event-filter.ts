/** The options that choose events. */
export interface EventOptions {
  readonly events?: string;
  readonly source?: string;
  readonly channel?: string;
  readonly stage?: string;
}

/** Event kinds and filter of the options, in the form that the API reads. Absent options are absent. */
export function eventFilter({ events, source, channel, stage }: EventOptions): {
  readonly events?: readonly string[];
  readonly filter?: Record<string, unknown>;
} {
  const filter = given({ source_id: source, channel_id: channel, stage });
  return {
    ...(events !== undefined && { events: events.split(',').map((one) => one.trim()) }),
    ...(Object.keys(filter).length > 0 && { filter }),
  };
}

export function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
