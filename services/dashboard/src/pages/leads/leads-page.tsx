import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link, useSearchParams } from 'react-router';
import { urlOf } from '../../api/api-client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Icon } from '../../ui/icons.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { forgetInDialogs } from '../../ui/unsaved.ts';
import { useOpened } from '../../ui/use-opened.ts';
import { LeadDrawer } from './lead-drawer.tsx';
import { LeadFilters } from './lead-filters.tsx';
import { LeadList } from './lead-list.tsx';
import { readLeadQuery } from './lead-query.ts';
import classes from './leads.module.css';
import { NewLeadDialog } from './new-lead-dialog.tsx';
import { useLiveLeads } from './use-live-leads.ts';

/** A separate chunk, with the library for dragging. */
const Board = onDemand(async () => (await import('./board/lead-board.tsx')).LeadBoard);

export function LeadsPage() {
  const [search, setSearch] = useSearchParams();
  const query = readLeadQuery(search);
  const asBoard = search.get('view') === 'board';
  // The board shows every stage, so its export does too.
  const { stage: _, ...allStages } = query;
  const creating = search.has('new');
  const mayChange = useMay('admin');
  const pipeline = useRead(ROUTES.pipeline.show, {});
  const lead = useOpened('lead', focusLead);
  useLiveLeads();
  const change = (name: string, value: string) =>
    setSearch(
      (current) => {
        if (value === '') current.delete(name);
        else current.set(name, value);
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  const create = () => change('new', 'lead');
  // One change of the address: a second one in the same tick would start from the old address again.
  const showCreated = (leadId: string) => {
    forgetInDialogs();
    setSearch(
      (current) => {
        current.delete('new');
        current.set('lead', leadId);
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  const closeNew = () => {
    forgetInDialogs();
    change('new', '');
  };
  return (
    <Page
      title="Leads"
      crumbs={[{ label: 'Customers' }]}
      lead="People and companies that may become customers, by stage of your pipeline."
      actions={
        mayChange && (
          <>
            <Button leftSection={<Icon name="plus" size={16} />} onClick={create}>
              New lead
            </Button>
            <Button
              component={Link}
              to="/leads/import"
              variant="default"
              leftSection={<Icon name="upload" size={16} />}
            >
              Import
            </Button>
            <Button
              component="a"
              href={urlOf(ROUTES.leads.export, {}, asBoard ? allStages : query)}
              download
              variant="default"
              leftSection={<Icon name="download" size={16} />}
            >
              Export CSV
            </Button>
          </>
        )
      }
    >
      <Loaded query={pipeline}>
        {({ stages }) => (
          <div className={classes.stack}>
            <LeadFilters
              query={query}
              typed={search.get('q') ?? ''}
              stages={stages}
              asBoard={asBoard}
              onChange={change}
            />
            {asBoard ? (
              <Board query={query} stages={stages} onOpen={lead.open} />
            ) : (
              <LeadList
                query={query}
                stages={stages}
                onOpen={lead.open}
                onCreate={create}
                onClear={() => setSearch({}, { replace: true })}
              />
            )}
            <LeadDrawer leadId={lead.openId} stages={stages} onClose={lead.close} />
            {creating && mayChange && (
              <NewLeadDialog stages={stages} onClose={closeNew} onCreated={showCreated} />
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function focusLead(leadId: string): void {
  document.querySelector<HTMLElement>(`[data-lead="${CSS.escape(leadId)}"]`)?.focus();
}
