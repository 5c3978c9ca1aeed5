import { Button, UnstyledButton } from '@mantine/core';
import type { EventItem, EventQuery } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import classes from './calendar.module.css';
import { addMonths, type Month, monthWords, spanOf, weeksOf } from './month.ts';
import { occurrences } from './occurrences.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const LIMIT = 200;
const REFRESH_MS = 10_000;

interface CalendarProps {
  /** The `when` filter is ignored: the month replaces it. */
  readonly query: EventQuery;
  readonly month: Month;
  readonly onMonth: (month: Month) => void;
  readonly onOpen: (eventId: string) => void;
}

/** Shows the events of a month, and each day of a series, by start day, in the viewer’s time zone. */
export function Calendar({ query, month, onMonth, onOpen }: CalendarProps) {
  const { when: _, ...filter } = query;
  const input = { query: { ...filter, ...spanOf(month), when: 'all' as const, limit: LIMIT } };
  const { from, to } = spanOf(month);
  const events = useRead(ROUTES.events.list, input, { everyMs: REFRESH_MS, keep: true });
  // Series that began before the month recur in it.
  const earlier = {
    query: { ...filter, to: from, when: 'all' as const, recurring: 'true' as const, limit: LIMIT },
  };
  const series = useRead(ROUTES.events.list, earlier, { everyMs: REFRESH_MS, keep: true });
  const items = [...(events.data?.items ?? []), ...(series.data?.items ?? [])];
  const byDay = groupByDay(items, Date.parse(from), Date.parse(to));
  return (
    <Card>
      <div className={classes.head}>
        <h2 aria-live="polite">{monthWords(month)}</h2>
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => onMonth(addMonths(month, -1))}>
            Previous month
          </Button>
          <Button variant="default" onClick={() => onMonth(addMonths(month, 1))}>
            Next month
          </Button>
        </div>
      </div>
      {events.error !== null && <ErrorNote error={events.error} onRetry={() => void events.refetch()} />}
      {/* One note is enough if both reads fail. */}
      {events.error === null && series.error !== null && (
        <ErrorNote error={series.error} onRetry={() => void series.refetch()} />
      )}
      {events.data?.next_cursor != null && (
        <Note tone="info">
          Only the first {events.data.items.length} events of the month are shown. Narrow the filters.
        </Note>
      )}
      {series.data?.next_cursor != null && (
        <Note tone="info">
          Only {series.data.items.length} of the series that began before the month are shown. Narrow the
          filters.
        </Note>
      )}
      <table className={classes.month} aria-label={monthWords(month)}>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col">
                <abbr title={name}>{name.slice(0, 3)}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a week is identified by its position in the month.
            <tr key={index}>
              {week.map((day, weekday) => (
                <Day
                  key={WEEKDAYS[weekday]}
                  day={day}
                  starts={byDay.get(day?.toDateString() ?? '') ?? []}
                  onOpen={onOpen}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isLoaded(events) && isLoaded(series) && byDay.size === 0 && (
        <p className="dimmed">No event starts in this month.</p>
      )}
    </Card>
  );
}

/** While a month loads, the data is that of another month. */
function isLoaded({ data, isPlaceholderData }: { data: unknown; isPlaceholderData: boolean }): boolean {
  return data !== undefined && !isPlaceholderData;
}

interface DayProps {
  readonly day: Date | null;
  readonly starts: readonly Start[];
  readonly onOpen: (eventId: string) => void;
}

function Day({ day, starts, onOpen }: DayProps) {
  if (day === null) return <td className={classes.empty} />;
  return (
    <td className={starts.length === 0 ? classes.empty : ''}>
      <span className={classes.date}>{day.getDate()}</span>
      <ul>
        {starts.map(({ at, event }) => (
          <li key={`${event.event_id} ${at.getTime()}`}>
            <UnstyledButton
              className={`${classes.event} ${event.status === 'upcoming' ? '' : classes.off}`}
              data-event={event.event_id}
              onClick={() => onOpen(event.event_id)}
            >
              <span className="number">{timeOf(at)}</span> {event.title}
              {event.status !== 'upcoming' && (
                <span className="visually-hidden"> ({event.status ?? 'deleted'})</span>
              )}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </td>
  );
}

function timeOf(at: Date): string {
  return at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

/** One start of an event. A series has many. */
interface Start {
  readonly at: Date;
  readonly event: EventItem;
}

/** Groups the starts by full date, each day by time. While a month loads, the list still contains another month. */
function groupByDay(items: readonly EventItem[], fromMs: number, toMs: number): Map<string, Start[]> {
  const days = new Map<string, Start[]>();
  const starts = items.flatMap((event) => occurrences(event, fromMs, toMs).map((at) => ({ at, event })));
  for (const start of starts.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const day = start.at.toDateString();
    days.set(day, [...(days.get(day) ?? []), start]);
  }
  return days;
}
