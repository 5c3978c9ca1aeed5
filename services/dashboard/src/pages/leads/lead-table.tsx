import type { LeadItem } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { Ago } from '../../ui/ago.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import table from '../../ui/table.module.css';
import { useTableKeys } from '../../ui/use-table-keys.ts';
import { LEAD_ORIGIN_WORDS, leadName } from './lead-words.ts';
import classes from './leads.module.css';
import { StageChip } from './stage-chip.tsx';

interface LeadTableProps {
  readonly items: readonly LeadItem[];
  readonly stages: readonly StageItem[];
  readonly onOpen: (leadId: string) => void;
}

export function LeadTable({ items, stages, onOpen }: LeadTableProps) {
  const body = useTableKeys();
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>Name</th>
          <th>Company</th>
          <th>Email</th>
          <th>Phone</th>
          <th>Stage</th>
          <th>Tags</th>
          <th>Origin</th>
          <th>Created</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {items.map((lead) => (
          <tr
            key={lead.id}
            data-open
            data-lead={lead.id}
            tabIndex={0}
            onClick={() => onOpen(lead.id)}
            onKeyDown={(key) => key.key === 'Enter' && onOpen(lead.id)}
          >
            <td className={classes.name}>
              <EmailText text={leadName(lead)} />
            </td>
            <TextCell label="Company" text={lead.company} />
            <TextCell label="Email" text={lead.email} />
            <td data-label="Phone" className={table.whole} data-empty={lead.phone === null || undefined}>
              {lead.phone ?? <span className="dimmed">–</span>}
            </td>
            <td data-label="Stage" className={table.whole}>
              <StageChip stageId={lead.stage} stages={stages} />
            </td>
            <td data-label="Tags" data-empty={lead.tags.length === 0 || undefined}>
              <Tags tags={lead.tags} />
            </td>
            <td data-label="Origin" className={table.whole}>
              {LEAD_ORIGIN_WORDS[lead.origin]}
            </td>
            <td data-label="Created" className={table.whole}>
              <Ago at={lead.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TextCell({ label, text }: { readonly label: string; readonly text: string | null }) {
  return (
    <td data-label={label} data-empty={text === null || undefined}>
      {text === null ? <span className="dimmed">–</span> : <EmailText text={text} />}
    </td>
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
