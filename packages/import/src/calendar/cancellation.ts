import type { Reading } from './event-reading.ts';

/** Words that Outlook puts before the title of a cancelled meeting, in the languages that it is mostly used in. */
const SAYS_CANCELLED =
  /^(?:cancell?ed|abgesagt|annul[ée]e?|annullato|annullata|cancelad[oa]|geannuleerd|inställt|avbokat|avlyst|aflyst|odwołan[eoay]|peruttu|отменено)\s*:\s*(?=\S)/i;

export interface Cancellation {
  readonly action: 'upsert' | 'cancel';
  /** The title says that the event is cancelled, but not its status. */
  readonly saysCancelled: boolean;
}

/** Whether the calendar or the status of the event says that it is cancelled. Some programs write one L. */
export function isCancelled({ settings, find }: Reading): boolean {
  return settings.cancels || /^CANCELL?ED$/i.test(find('STATUS')?.value.trim() ?? '');
}

/**
 * Decides whether the event is cancelled, and takes the word for it out of the title, because the event is known without it. A
 * cancelled day of a series is a cancel in any case: nobody wants an event for a day that does not take place.
 */
export function readCancellation(reading: Reading, isDay: boolean): Cancellation {
  const summary = reading.find('SUMMARY');
  const title = reading.event.title ?? '';
  const saysCancelled = SAYS_CANCELLED.test(title);
  if (saysCancelled && summary !== undefined)
    reading.set('title', summary, title.replace(SAYS_CANCELLED, ''));
  if (isCancelled(reading) || (saysCancelled && isDay)) return { action: 'cancel', saysCancelled: false };
  if (saysCancelled && summary !== undefined)
    reading.note(summary.line, `The title "${title.slice(0, 60)}" says that the event is cancelled.`);
  return { action: 'upsert', saysCancelled };
}
