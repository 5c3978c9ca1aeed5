import { Button } from '@mantine/core';
import type { LeadQuery } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { urlOf } from '../../api/api-client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { FilterBar, TextFilter } from '../../ui/filter-bar.tsx';
import { choicesOf } from '../../ui/filters.tsx';
import { Icon } from '../../ui/icons.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { forgetInDialogs } from '../../ui/unsaved.ts';
import { useAddress } from '../../ui/use-address.ts';
import { useOpened } from '../../ui/use-opened.tsx';
import { LeadDrawer } from './lead-drawer.tsx';
import { LeadList } from './lead-list.tsx';
import { readLeadQuery, SORT_OPTIONS } from './lead-query.ts';
import classes from './leads.module.css';
import { NewLeadDialog } from './new-lead-dialog.tsx';
import { useLiveLeads } from './use-live-leads.ts';

/** A separate chunk, with the library for dragging. */
const Board = onDemand(async () => (await import('./board/lead-board.tsx')).LeadBoard);

export function LeadsPage() {
  const { search, change, clear } = useAddress();
  const query = readLeadQuery(search);
  const asBoard = search.get('view') === 'board';
  // The board shows every stage, so its export does too.
  const { stage: _, ...allStages } = query;
  const creating = search.has('new');
  const mayChange = useMay('admin');
  const pipeline = useRead(ROUTES.pipeline.show, {});
  const lead = useOpened('lead', focusLead);
  useLiveLeads();
  const create = () => change({ new: 'lead' });
  // One change of the address: a second one in the same tick would start from the old address again.
  const showCreated = (leadId: string) => {
    forgetInDialogs();
    change({ new: '', lead: leadId });
  };
  const closeNew = () => {
    forgetInDialogs();
    change({ new: '' });
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
          <div className="stack-small">
            <LeadFilters
              query={query}
              typed={search.get('q') ?? ''}
              stages={stages}
              asBoard={asBoard}
              onChange={(name, value) => change({ [name]: value })}
            />
            {asBoard ? (
              <Board query={query} stages={stages} onOpen={lead.open} />
            ) : (
              <LeadList query={query} stages={stages} onOpen={lead.open} onCreate={create} onClear={clear} />
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

const VIEWS = [
  { value: '', label: 'List' },
  { value: 'board', label: 'Board' },
];
const [{ label: DEFAULT_SORT }, ...OTHER_SORTS] = SORT_OPTIONS;
const SORTS = [{ value: '', label: DEFAULT_SORT }, ...OTHER_SORTS];

interface LeadFiltersProps {
  readonly query: LeadQuery;
  /** The search as typed. One character is too short for the query. */
  readonly typed: string;
  readonly stages: readonly StageItem[];
  /** The board shows every stage, each in a fixed order. */
  readonly asBoard: boolean;
  /** An empty value selects the default. */
  readonly onChange: (name: string, value: string) => void;
}

function LeadFilters({ query, typed, stages, asBoard, onChange }: LeadFiltersProps) {
  const stage = {
    name: 'stage',
    label: 'Stage',
    data: choicesOf({
      all: 'Any stage',
      of: stages.map(({ id, name }) => ({ value: id, label: name })),
      chosen: query.stage ?? '',
      gone: 'Deleted stage',
    }),
    value: query.stage,
  };
  return (
    <FilterBar
      of="leads"
      search={{
        name: 'q',
        label: 'Search by name, company, email or phone',
        placeholder: 'Search name, company, email or phone',
        value: typed,
      }}
      filters={[
        { name: 'view', label: 'View', as: 'segments', data: VIEWS, value: asBoard ? 'board' : '' },
        !asBoard && stage,
        !asBoard && { name: 'sort', label: 'Order', data: SORTS, value: query.sort },
      ]}
      onChange={onChange}
    >
      <TextFilter
        className={classes.tagFilter}
        label="Tag"
        placeholder="Tag"
        maxLength={50}
        value={query.tag ?? ''}
        onChange={(tag) => onChange('tag', tag.trim())}
      />
    </FilterBar>
  );
}
