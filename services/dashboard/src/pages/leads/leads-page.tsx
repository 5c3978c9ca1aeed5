import { Button, SegmentedControl, TextInput } from '@mantine/core';
import type { LeadQuery } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { urlOf } from '../../api/api-client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { choicesOf, FilterSelect, SearchField, useTyped } from '../../ui/filters.tsx';
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
  const trouble = useLiveLeads();
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
      <Loaded query={{ ...pipeline, failureReason: pipeline.failureReason ?? trouble }}>
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
  return (
    <search className={classes.filters} aria-label="Filter leads">
      <SearchField
        className={classes.search}
        label="Search by name, company, email or phone"
        placeholder="Search name, company, email or phone  ( / )"
        value={typed}
        onChange={(text) => onChange('q', text)}
      />
      <SegmentedControl
        aria-label="View"
        data={VIEWS}
        value={asBoard ? 'board' : ''}
        onChange={(value) => onChange('view', value)}
      />
      {!asBoard && (
        <FilterSelect
          label="Stage"
          data={choicesOf({
            all: 'Any stage',
            of: stages.map(({ id, name }) => ({ value: id, label: name })),
            chosen: query.stage ?? '',
            gone: 'Deleted stage',
          })}
          value={query.stage}
          onChange={(value) => onChange('stage', value)}
        />
      )}
      <TagFilter value={query.tag ?? ''} onChange={(tag) => onChange('tag', tag)} />
      {!asBoard && (
        <FilterSelect
          label="Order"
          data={[...SORT_OPTIONS]}
          value={query.sort ?? SORT_OPTIONS[0].value}
          onChange={(value) => onChange('sort', value === SORT_OPTIONS[0].value ? '' : value)}
        />
      )}
    </search>
  );
}

interface TagFilterProps {
  readonly value: string;
  readonly onChange: (tag: string) => void;
}

/** Matches a whole tag, so it waits for a pause in typing. */
function TagFilter({ value, onChange }: TagFilterProps) {
  const { text, setText, send } = useTyped(value, onChange);
  return (
    <TextInput
      className={classes.tagFilter}
      aria-label="Tag"
      placeholder="Tag"
      maxLength={50}
      value={text}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed);
        send(typed.trim());
      }}
    />
  );
}
