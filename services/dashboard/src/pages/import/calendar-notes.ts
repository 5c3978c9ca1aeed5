/** What there is to know of a calendar besides its events. */
export interface CalendarNotes {
  /** The file, to be read anew in another zone. */
  readonly text: string;
  /** In which times without a zone were read. */
  readonly zone: string;
  /** Named by the calendar itself, or null. */
  readonly ownZone: string | null;
  /** How many events have such times. */
  readonly withoutZone: number;
  /** Events whose rule of recurrence says more than is kept of it. */
  readonly simplified: readonly number[];
  /** Single days of a recurring event that are not imported. */
  readonly leftOut: readonly number[];
}
