/** Properties of a calendar besides its events. */
export interface CalendarNotes {
  /** The text of the file, so that it can be read again in another zone. */
  readonly text: string;
  /** The zone used for times without a zone. */
  readonly zone: string;
  /** The zone the calendar names, or null. */
  readonly ownZone: string | null;
  /** The number of events with such times. */
  readonly withoutZone: number;
  /** Events whose recurrence rule is simplified. */
  readonly simplified: readonly number[];
  /** Single days of a recurring event that are not imported. */
  readonly leftOut: readonly number[];
  /** Sentences about the whole file. */
  readonly notes: readonly string[];
}
