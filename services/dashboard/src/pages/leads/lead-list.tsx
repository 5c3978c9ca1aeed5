import type { LeadQuery } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { Card } from '../../ui/page.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { ErrorNote, OutOfDate, RowsSkeleton } from '../../ui/states.tsx';
import { LeadTable } from './lead-table.tsx';
import classes from './leads.module.css';
import { NoLeads } from './no-leads.tsx';
import { useLeads } from './use-leads.ts';

const PAGE = 50;

interface LeadListProps {
  readonly query: LeadQuery;
  readonly stages: readonly StageItem[];
  readonly onOpen: (leadId: string) => void;
  readonly onCreate: () => void;
  readonly onClear: () => void;
}

/** The leads as a table, page after page. */
export function LeadList({ query, stages, onOpen, onCreate, onClear }: LeadListProps) {
  const leads = useLeads(query, { limit: PAGE });
  const { items } = leads;
  return (
    <>
      <Card flush>
        {leads.error !== null && items.length === 0 ? (
          <ErrorNote error={leads.error} onRetry={() => void leads.refetch()} />
        ) : leads.isPending ? (
          <RowsSkeleton rows={6} />
        ) : items.length === 0 ? (
          <NoLeads query={query} onCreate={onCreate} onClear={onClear} />
        ) : (
          <>
            <OutOfDate query={leads} />
            <LeadTable items={items} stages={stages} onOpen={onOpen} />
          </>
        )}
      </Card>
      <ShowMore key={JSON.stringify(query)} list={leads} className={classes.more} />
    </>
  );
}
