import { Button, UnstyledButton } from '@mantine/core';
import type { EventItem, EventQuery } from '@sluice/dashboard-api/events';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { Card } from '../../ui/page.tsx';
import { ErrorNote, Note } from '../../ui/states.tsx';
import classes from './calendar.module.css';
import { occurrences } from './occurrences.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const LIMIT = 200;
const REFRESH_MS = 10_000;

interface CalendarProps {
  /** The `when` filter is ignored: the month replaces it. */
  readonly query: EventQuery;
  /** The month in the address; null: the current one. */
  readonly month: string | null;
  readonly onMonth: (month: Month) => void;
  readonly onOpen: (eventId: string) => void;
}

/** Shows the events of a month, and each day of a series, by start day, in the viewer’s time zone. */
export function Calendar({ query, month: asked, onMonth, onOpen }: CalendarProps) {
  const month = readMonth(asked, new Date());
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
      <div className="stack-small">
        <div className="row-between">
          <h2 aria-live="polite">{monthWords(month)}</h2>
          <div className="row">
            <Button variant="default" onClick={() => onMonth(monthOf(new Date()))}>
              Today
            </Button>
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
      </div>
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
    <td
      className={starts.length === 0 ? classes.empty : ''}
      aria-current={day.toDateString() === new Date().toDateString() ? 'date' : undefined}
    >
      <span className={classes.date} data-day={dayWords.format(day)}>
        {day.getDate()}
      </span>
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

const dayWords = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

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

/** A month of the viewer's calendar, such as `2026-12`. */
type Month = string;

function monthOf(date: Date): Month {
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/** Reads the month in an address. The default is the current month. */
function readMonth(text: string | null, now: Date): Month {
  return text !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : monthOf(now);
}

function addMonths(month: Month, count: number): Month {
  const first = firstOf(month);
  return monthOf(new Date(first.getFullYear(), first.getMonth() + count, 1));
}

function monthWords(month: Month): string {
  return firstOf(month).toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
}

/** Returns the weeks of a month, Monday first. Days of other months are null. */
function weeksOf(month: Month): (Date | null)[][] {
  const first = firstOf(month);
  const before = (first.getDay() + 6) % 7;
  const days = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
  const weeks = Math.ceil((before + days) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => {
      const day = week * 7 + weekday - before + 1;
      return day < 1 || day > days ? null : new Date(first.getFullYear(), first.getMonth(), day);
    }),
  );
}

/** Returns the span of a month in the viewer's time zone, from its first instant to that of the next month. */
function spanOf(month: Month): { from: string; to: string } {
  return { from: firstOf(month).toISOString(), to: firstOf(addMonths(month, 1)).toISOString() };
}

function firstOf(month: Month): Date {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(year, number - 1, 1);
}
