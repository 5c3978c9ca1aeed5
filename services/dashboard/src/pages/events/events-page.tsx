import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { callApi } from '../../api/api-client.ts';
import { useMay } from '../../shell/me.tsx';
import type { PageLink } from '../../shell/page-links.ts';
import { Icon } from '../../ui/icons.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { ErrorNote, OutOfDate, RowsSkeleton } from '../../ui/states.tsx';
import { useOpened } from '../../ui/use-opened.ts';
import { EventDrawer } from './event-drawer.tsx';
import { EventFilters } from './event-filters.tsx';
import { readEventQuery } from './event-query.ts';
import { EventTable } from './event-table.tsx';
import classes from './events.module.css';
import { readMonth } from './month.ts';
import { NoEvents } from './no-events.tsx';

/** A separate chunk: most users open the list. */
const Calendar = onDemand(async () => (await import('./calendar.tsx')).Calendar);

const PAGE = 50;
const REFRESH_MS = 10_000;

export function EventsPage() {
  const [search, setSearch] = useSearchParams();
  const query = readEventQuery(search);
  const asCalendar = search.get('view') === 'calendar';
  const mayChange = useMay('admin');
  const event = useOpened('event', focusEvent);
  const events = useInfiniteQuery({
    queryKey: [ROUTES.events.list.path, query],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        ROUTES.events.list,
        { query: { ...query, limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: REFRESH_MS,
    enabled: !asCalendar,
  });
  const items = events.data?.pages.flatMap((page) => page.items) ?? [];
  const change = (name: string, value: string) =>
    setSearch(
      (current) => {
        if (value === '') current.delete(name);
        else current.set(name, value);
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Page
      title="Events"
      crumbs={[{ label: 'Knowledge' }]}
      lead="All events of this account, kept in sync by its webhook sources."
      actions={
        <>
          {mayChange && <PageButton to="/events/import" icon="download" label="Import" />}
          <PageButton to="/events/webhook" icon="webhook" label="Webhook" />
        </>
      }
    >
      <div className={classes.stack}>
        <EventFilters query={query} asCalendar={asCalendar} onChange={change} />
        {asCalendar ? (
          <Calendar
            query={query}
            month={readMonth(search.get('month'), new Date())}
            onMonth={(month) => change('month', month)}
            onOpen={event.open}
          />
        ) : (
          <Card flush>
            {events.error !== null && items.length === 0 ? (
              <ErrorNote error={events.error} onRetry={() => void events.refetch()} />
            ) : events.isPending ? (
              <RowsSkeleton rows={6} />
            ) : items.length === 0 ? (
              <NoEvents
                query={query}
                onWhen={(when) => change('when', when)}
                onClear={() => setSearch({}, { replace: true })}
              />
            ) : (
              <>
                <OutOfDate query={events} />
                <EventTable items={items} onOpen={event.open} />
              </>
            )}
          </Card>
        )}
        {!asCalendar && <ShowMore key={JSON.stringify(query)} list={events} className={classes.more} />}
      </div>
      <EventDrawer eventId={event.openId} onClose={event.close} onMoved={event.open} />
    </Page>
  );
}

function focusEvent(eventId: string): void {
  document.querySelector<HTMLElement>(`[data-event="${CSS.escape(eventId)}"]`)?.focus();
}

function PageButton({ to, icon, label }: Pick<PageLink, 'to' | 'icon' | 'label'>) {
  return (
    <Button component={Link} to={to} variant="default" leftSection={<Icon name={icon} size={16} />}>
      {label}
    </Button>
  );
}
