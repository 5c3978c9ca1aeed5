import { Button } from '@mantine/core';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { LeadQuery } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { usePages } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, Listed, ShowMore } from '../../ui/states.tsx';
import { isFiltered } from './lead-query.ts';
import { LeadTable } from './lead-table.tsx';

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
  const leads = useLeads(query, PAGE);
  return (
    <>
      <Card flush>
        <Listed list={leads} empty={<NoLeads query={query} onCreate={onCreate} onClear={onClear} />}>
          <LeadTable items={leads.items} stages={stages} onOpen={onOpen} />
        </Listed>
      </Card>
      <ShowMore key={JSON.stringify(query)} list={leads} className="center" />
    </>
  );
}

interface NoLeadsProps {
  readonly query: LeadQuery;
  readonly onCreate: () => void;
  readonly onClear: () => void;
}

/** An empty list, with the ways to get a first lead. */
function NoLeads({ query, onCreate, onClear }: NoLeadsProps) {
  const mayChange = useMay('admin');
  if (isFiltered(query))
    return (
      <Empty
        icon="search"
        title="No lead matches"
        actions={
          <Button variant="default" onClick={onClear}>
            Clear all filters
          </Button>
        }
      >
        The search finds beginnings of words and whole tags.
      </Empty>
    );
  if (!mayChange)
    return (
      <Empty icon="lead" title="No leads yet">
        Owners and admins of the account can create and import leads.
      </Empty>
    );
  return (
    <Empty
      icon="lead"
      title="No leads yet"
      actions={
        <>
          <Button onClick={onCreate}>Create a lead</Button>
          <Button component={Link} to="/leads/import" variant="default">
            Import a CSV file
          </Button>
          <Button component={Link} to="/settings/api-keys" variant="default">
            Create an API key
          </Button>
          <Button component={Link} to="/settings/channels" variant="default">
            Set up a channel
          </Button>
        </>
      }
    >
      Create one by hand, import a file, or send leads by API. A channel can make leads from conversations.
    </Empty>
  );
}

/** Reads a list of leads, page after page. It also reloads without a signal, in case a change was not noticed. */
export function useLeads(query: LeadQuery, limit: number) {
  return usePages(ROUTES.leads.list, { query: { ...query, limit } }, { refetchInterval: MINUTE_MS });
}
