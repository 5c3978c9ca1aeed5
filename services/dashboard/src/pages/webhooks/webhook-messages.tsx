import { ROUTES } from '@sluice/dashboard-api/routes';
import type { MessageQuery, WebhookItem } from '@sluice/dashboard-api/webhooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { callApi } from '../../api/api-client.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Card } from '../../ui/page.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { Empty, ErrorNote, OutOfDate, RowsSkeleton } from '../../ui/states.tsx';
import settings from '../source/set-up.module.css';
import { MessageTable } from './message-table.tsx';
import { TryAgain } from './try-again.tsx';
import { SuccessRate, Waiting } from './webhook-health.tsx';

const REFRESH_MS = 2000;
const STATUSES = [
  { value: '', label: 'All messages' },
  { value: 'pending', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'discarded', label: 'Discarded' },
  { value: 'erased', label: 'Erased' },
];

/** The messages of a subscription with their attempts, newest first. */
export function WebhookMessages({ webhook }: { readonly webhook: WebhookItem }) {
  const [search, setSearch] = useSearchParams();
  const status = search.get('status') ?? '';
  const query: MessageQuery = status === '' ? {} : { status: status as NonNullable<MessageQuery['status']> };
  const params = { webhookId: webhook.id };
  const messages = useInfiniteQuery({
    queryKey: [ROUTES.webhooks.messages.path, params, query],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        ROUTES.webhooks.messages,
        { params, query: { ...query, ...(pageParam !== '' && { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: REFRESH_MS,
  });
  const items = messages.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className={settings.stack}>
      <Card
        title="Messages"
        aside={
          <FilterSelect
            label="Status"
            data-filter
            data={STATUSES}
            value={status}
            onChange={(value) => setSearch(value === '' ? {} : { status: value }, { replace: true })}
          />
        }
      >
        <p className="dimmed small">
          {'Last 24 h: '}
          <SuccessRate health={webhook.health} />
          {'. Waiting: '}
          <Waiting health={webhook.health} />.
        </p>
        {messages.error !== null && items.length === 0 ? (
          <ErrorNote error={messages.error} onRetry={() => void messages.refetch()} />
        ) : messages.isPending ? (
          <RowsSkeleton />
        ) : items.length === 0 ? (
          <Empty icon="send" title={status === '' ? 'No messages yet' : 'No messages with this status'}>
            The next change that this subscription asks for appears here within seconds.
          </Empty>
        ) : (
          <>
            <OutOfDate query={messages} />
            <MessageTable webhookId={webhook.id} messages={items} />
          </>
        )}
      </Card>
      {messages.hasNextPage && (
        <div>
          <ShowMore key={status} list={messages} label="Show older messages" />
        </div>
      )}
      <TryAgain webhook={webhook} />
    </div>
  );
}
