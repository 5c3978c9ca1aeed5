import type { LeadItem } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import table from '../../ui/table.module.css';
import { type Column, Table } from '../../ui/table.tsx';
import { RowLink } from '../../ui/use-opened.tsx';
import { KIND_TONES, LEAD_ORIGIN_WORDS, leadName } from './lead-words.ts';
import classes from './leads.module.css';

interface LeadTableProps {
  readonly items: readonly LeadItem[];
  readonly stages: readonly StageItem[];
  readonly onOpen: (leadId: string) => void;
}

const COLUMNS: readonly Column<LeadItem>[] = [
  {
    head: 'Name',
    label: null,
    className: `${table.roomy} strong`,
    cell: (lead) => (
      <RowLink name="lead" id={lead.id}>
        <EmailText text={leadName(lead)} />
      </RowLink>
    ),
  },
  textColumn('Company', ({ company }) => company),
  textColumn('Email', ({ email }) => email),
  {
    head: 'Phone',
    className: table.whole,
    isEmpty: ({ phone }) => phone === null,
    cell: ({ phone }) => phone ?? <span className="dimmed">–</span>,
  },
  {
    head: 'Tags',
    isEmpty: ({ tags }) => tags.length === 0,
    cell: ({ tags }) => <Tags tags={tags} />,
  },
  { head: 'Origin', className: table.whole, cell: ({ origin }) => LEAD_ORIGIN_WORDS[origin] },
  { head: 'Created', className: table.whole, cell: ({ created_at }) => <Ago at={created_at} /> },
];

function textColumn(head: string, textOf: (lead: LeadItem) => string | null): Column<LeadItem> {
  return {
    head,
    isEmpty: (lead) => textOf(lead) === null,
    cell: (lead) => {
      const text = textOf(lead);
      return text === null ? <span className="dimmed">–</span> : <EmailText text={text} />;
    },
  };
}

export function LeadTable({ items, stages, onOpen }: LeadTableProps) {
  const stage: Column<LeadItem> = {
    head: 'Stage',
    className: table.whole,
    cell: (lead) => <StageChip stageId={lead.stage} stages={stages} />,
  };
  return (
    <Table
      items={items}
      columns={COLUMNS.toSpliced(4, 0, stage)}
      keyOf={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      rowProps={({ id }) => ({ 'data-lead': id })}
    />
  );
}

const TAGS_SHOWN = 3;

export function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return <span className="dimmed">–</span>;
  const more = tags.length - TAGS_SHOWN;
  return (
    <span className={classes.tags} title={tags.join(', ')}>
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <span key={tag} className={classes.tag}>
          {tag}
        </span>
      ))}
      {more > 0 && <span className="dimmed small">+{more}</span>}
    </span>
  );
}

interface StageChipProps {
  readonly stageId: string;
  readonly stages: readonly StageItem[];
}

/** Shows the stage of a lead. A stage that is gone is displayed by its id. */
export function StageChip({ stageId, stages }: StageChipProps) {
  const stage = stages.find(({ id }) => id === stageId);
  return <Chip tone={stage === undefined ? 'quiet' : KIND_TONES[stage.kind]}>{stage?.name ?? stageId}</Chip>;
}
