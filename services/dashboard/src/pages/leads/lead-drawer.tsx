import { Button, NativeSelect, TextInput } from '@mantine/core';
import { LEAD_TEXT_FIELDS } from '@sluice/dashboard-api/lead-names';
import type { LeadItem } from '@sluice/dashboard-api/leads';
import type { StageItem } from '@sluice/dashboard-api/pipeline';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { fieldError } from '../../api/api-error.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { randomId } from '../../api/random-id.ts';
import { useMay } from '../../shell/me.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Copied } from '../../ui/copy.tsx';
import { ConfirmButton } from '../../ui/dialog-parts.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Drawer } from '../../ui/modal.tsx';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { counted } from '../../ui/words.ts';
import { LeadForm } from './lead-form.tsx';
import { LeadHistory } from './lead-history.tsx';
import { StageChip, Tags } from './lead-table.tsx';
import { fieldWord, LEAD_ORIGIN_WORDS, leadName } from './lead-words.ts';
import classes from './leads.module.css';

interface LeadDrawerProps {
  /** null: closed. */
  readonly leadId: string | null;
  readonly stages: readonly StageItem[];
  readonly onClose: () => void;
}

export function LeadDrawer({ leadId, stages, onClose }: LeadDrawerProps) {
  return (
    <Drawer opened={leadId !== null} onClose={onClose} title="Lead" size="40rem" returnFocus={false}>
      {leadId !== null && <Content key={leadId} leadId={leadId} stages={stages} onClose={onClose} />}
    </Drawer>
  );
}

interface ContentProps extends Omit<LeadDrawerProps, 'leadId'> {
  readonly leadId: string;
}

function Content({ leadId, stages, onClose }: ContentProps) {
  const lead = useRead(ROUTES.leads.show, { params: { leadId } });
  return (
    <Loaded query={lead}>{(item) => <LeadDetails lead={item} stages={stages} onErased={onClose} />}</Loaded>
  );
}

interface LeadDetailsProps {
  readonly lead: LeadItem;
  readonly stages: readonly StageItem[];
  readonly onErased: () => void;
}

function LeadDetails({ lead, stages, onErased }: LeadDetailsProps) {
  const mayChange = useMay('admin');
  const mayErase = useMay('owner');
  return (
    <div className="stack">
      <div className="row">
        <strong className="breaks">{leadName(lead)}</strong>
        <StageChip stageId={lead.stage} stages={stages} />
      </div>
      {mayChange && <StageField lead={lead} stages={stages} />}
      {mayChange ? <LeadForm lead={lead} /> : <LeadFacts lead={lead} />}
      <Facts
        of={{
          Created: (
            <>
              <Ago at={lead.created_at} /> <span className="dimmed">by {LEAD_ORIGIN_WORDS[lead.origin]}</span>
            </>
          ),
          'Last change': <Ago at={lead.updated_at} />,
          'Entered this stage': <Ago at={lead.stage_changed_at} />,
          Phone: lead.phone_e164 !== lead.phone && lead.phone_e164,
          Conversation: lead.conversation_id !== null && (
            <Link to={`/conversations/${lead.conversation_id}`}>{lead.conversation_id}</Link>
          ),
          'Lead ID': <Copied text={lead.id} what="lead ID" />,
        }}
      />
      <LeadHistory leadId={lead.id} stages={stages} />
      {mayErase && <EraseLead lead={lead} onErased={onErased} />}
    </div>
  );
}

/** The fields of a lead, for users who may not change them. */
function LeadFacts({ lead }: { readonly lead: LeadItem }) {
  const own = Object.entries(lead.fields).map(([name, value]) => [name, String(value)] as const);
  const texts = LEAD_TEXT_FIELDS.map((name) => [fieldWord(name), lead[name] ?? ''] as const);
  return (
    <dl className="pairs">
      {[...texts, ...own]
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={classes.text}>{value}</dd>
          </div>
        ))}
      <dt>Tags</dt>
      <dd>
        <Tags tags={lead.tags} />
      </dd>
    </dl>
  );
}

interface EraseLeadProps {
  readonly lead: LeadItem;
  readonly onErased: () => void;
}

/** The size of one page of the list. */
const COUNTED = 200;

/** docs/managing-leads.md, Erasing a person. */
function Effect({ leadId }: { readonly leadId: string }) {
  const found = useRead(ROUTES.conversations.list, { query: { lead_id: leadId, limit: COUNTED } });
  const count = found.data?.items.length;
  const more = found.data?.next_cursor ? 'more than ' : '';
  const which = count === undefined ? 'conversations' : `${more}${counted(count, 'conversation')}`;
  return (
    <>
      <p>
        This removes the lead and its history permanently. Nobody can restore it.
        {count !== 0 && ` The contact, subject, session data and messages of its ${which} are removed too.`}
      </p>
      <p className="dimmed">Backups, exported files and receivers of webhooks keep their copies.</p>
    </>
  );
}

/** Erases a person who asks to be forgotten. Only owners can. */
function EraseLead({ lead, onErased }: EraseLeadProps) {
  const toast = useToast();
  const erase = useWrite(ROUTES.leads.erase, [ROUTES.leads.list, ROUTES.pipeline.show]);
  const onConfirm = () =>
    erase.mutate(
      { params: { leadId: lead.id } },
      {
        onSuccess: () => {
          toast('The lead is erased.');
          onErased();
        },
      },
    );
  return (
    <div className="row">
      <ConfirmButton
        label="Erase lead"
        button={{ variant: 'outline', color: 'danger' }}
        title={`Erase “${leadName(lead)}”?`}
        confirm="Erase permanently"
        change={erase}
        onConfirm={onConfirm}
      >
        <Effect leadId={lead.id} />
      </ConfirmButton>
    </div>
  );
}

interface StageFieldProps {
  readonly lead: LeadItem;
  readonly stages: readonly StageItem[];
}

/** Moves a lead to another stage, or adds a note without a move. The note goes into its history. */
function StageField({ lead, stages }: StageFieldProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [note, setNote] = useState('');
  // A move that is sent again after an error keeps its id, so that its note is stored once.
  const sent = useRef({ text: '', move_id: '' });
  const noteField = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const move = useWrite(ROUTES.leads.move, [ROUTES.leads.list, ROUTES.leads.show, ROUTES.leads.history]);
  const stage = chosen ?? lead.stage;
  const isMove = stage !== lead.stage;
  const canSave = isMove || note.trim() !== '';
  useUnsaved(canSave);
  const nameOf = (id: string) => stages.find((one) => one.id === id)?.name ?? id;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const body = { stage, ...(note.trim() === '' ? {} : { note: note.trim() }) };
    const text = JSON.stringify(body);
    if (sent.current.text !== text) sent.current = { text, move_id: randomId() };
    move.mutate(
      { params: { leadId: lead.id }, body: { ...body, move_id: sent.current.move_id } },
      {
        onSuccess: () => {
          sent.current = { text: '', move_id: '' };
          // The user may have chosen or typed more meanwhile.
          setChosen((now) => (now === chosen ? null : now));
          setNote((now) => (now === note ? '' : now));
          // The button disappears, and the focus must not disappear with it.
          noteField.current?.focus();
          toast(isMove ? `Moved to ${nameOf(stage)}.` : 'Note added to the history.');
        },
      },
    );
  };
  const choices = stages.filter((one) => one.retiring_to === null || one.id === lead.stage);
  const stageError = fieldError(move.error, '/stage');
  return (
    <form className="row" onSubmit={onSubmit}>
      <NativeSelect
        label="Stage"
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        value={stage}
        onChange={(event) => setChosen(event.currentTarget.value)}
        error={stageError}
      />
      <TextInput
        ref={noteField}
        className={classes.note}
        label="Note for the history"
        placeholder="Optional"
        value={note}
        maxLength={1000}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {canSave && (
        <Button type="submit" loading={move.isPending}>
          {isMove ? 'Move' : 'Add note'}
        </Button>
      )}
      {move.error !== null && stageError === undefined && <ErrorNote error={move.error} />}
    </form>
  );
}
