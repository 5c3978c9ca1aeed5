import { AUDIT_ACTIONS, type AuditAction } from '@sluice/contract/audit-actions';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { callApi } from '../../api/api-client.ts';
import { useMay } from '../../shell/me.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { Empty, ErrorNote, OutOfDate, RowsSkeleton } from '../../ui/states.tsx';
import classes from '../members/members.module.css';
import { AuditTable } from './audit-table.tsx';

const PAGE = 50;
const OPTIONS = [
  { value: '', label: 'All actions' },
  ...Object.entries(AUDIT_ACTIONS).map(([value, label]) => ({ value, label })),
];

export function AuditPage() {
  const [search, setSearch] = useSearchParams();
  const action = search.get('action') ?? '';
  const query = action === '' ? {} : { action: action as AuditAction };
  const mayRead = useMay('admin');
  const log = useInfiniteQuery({
    enabled: mayRead,
    queryKey: [ROUTES.audit.list.path, query],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        ROUTES.audit.list,
        { query: { ...query, limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
  if (!mayRead)
    return (
      <Page title="Audit log">
        <Empty icon="audit" title="Only owners and admins can read the audit log">
          Ask an owner or admin of the account to look it up.
        </Empty>
      </Page>
    );
  const items = log.data?.pages.flatMap((page) => page.items) ?? [];
  const onAction = (value: string) => setSearch(value === '' ? {} : { action: value }, { replace: true });
  return (
    <Page
      title="Audit log"
      lead="Every change to keys, secrets, sources and members, with its user, time and address."
      actions={<FilterSelect label="Action" data-filter data={OPTIONS} value={action} onChange={onAction} />}
    >
      <div className={classes.stack}>
        <Card flush>
          {log.error !== null && items.length === 0 ? (
            <ErrorNote error={log.error} onRetry={() => void log.refetch()} />
          ) : log.isPending ? (
            <RowsSkeleton rows={6} />
          ) : items.length === 0 ? (
            <Empty icon="audit" title={action === '' ? 'No changes yet' : 'No changes of this kind'}>
              Every change to a key, secret, source or member is recorded here.
            </Empty>
          ) : (
            <>
              <OutOfDate query={log} />
              <AuditTable items={items} />
            </>
          )}
        </Card>
        {log.hasNextPage && (
          <div>
            <ShowMore key={action} list={log} />
          </div>
        )}
      </div>
    </Page>
  );
}
