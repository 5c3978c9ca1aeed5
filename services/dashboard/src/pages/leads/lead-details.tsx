import type { LeadItem } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { Link } from 'react-router';
import { useMay } from '../../shell/me.tsx';
import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import drawer from '../drawer/drawer.module.css';
import { EraseLead } from './erase-lead.tsx';
import { LeadFacts } from './lead-facts.tsx';
import { LeadForm } from './lead-form.tsx';
import { LeadHistory } from './lead-history.tsx';
import { LEAD_ORIGIN_WORDS, leadName } from './lead-words.ts';
import { StageChip } from './stage-chip.tsx';
import { StageField } from './stage-field.tsx';

interface LeadDetailsProps {
  readonly lead: LeadItem;
  readonly stages: readonly StageItem[];
  readonly onErased: () => void;
}

export function LeadDetails({ lead, stages, onErased }: LeadDetailsProps) {
  const mayChange = useMay('admin');
  const mayErase = useMay('owner');
  return (
    <div className={drawer.stack}>
      <div className={drawer.summary}>
        <strong className={drawer.title}>{leadName(lead)}</strong>
        <StageChip stageId={lead.stage} stages={stages} />
      </div>
      {mayChange && <StageField lead={lead} stages={stages} />}
      {mayChange ? <LeadForm lead={lead} /> : <LeadFacts lead={lead} />}
      <dl className={drawer.facts}>
        <dt>Created</dt>
        <dd>
          <Ago at={lead.created_at} /> <span className="dimmed">by {LEAD_ORIGIN_WORDS[lead.origin]}</span>
        </dd>
        <dt>Last change</dt>
        <dd>
          <Ago at={lead.updated_at} />
        </dd>
        <dt>Entered this stage</dt>
        <dd>
          <Ago at={lead.stage_changed_at} />
        </dd>
        {lead.phone_e164 !== null && lead.phone_e164 !== lead.phone && (
          <>
            <dt>Phone</dt>
            <dd>{lead.phone_e164}</dd>
          </>
        )}
        {lead.conversation_id !== null && (
          <>
            <dt>Conversation</dt>
            <dd>
              <Link to={`/conversations/${lead.conversation_id}`}>{lead.conversation_id}</Link>
            </dd>
          </>
        )}
        <dt>Lead ID</dt>
        <dd>
          <code>{lead.id}</code> <CopyButton text={lead.id} what="lead ID" />
        </dd>
      </dl>
      <LeadHistory leadId={lead.id} stages={stages} />
      {mayErase && <EraseLead lead={lead} onErased={onErased} />}
    </div>
  );
}
