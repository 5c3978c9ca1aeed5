const day = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The viewer's day of an instant: `Friday, 27 November 2026`. */
export function dayOf(iso: string): string {
  return day.format(new Date(iso));
}

/** The viewer's time of day: `14:05`. */
export function clockTime(iso: string): string {
  return clock.format(new Date(iso));
}
