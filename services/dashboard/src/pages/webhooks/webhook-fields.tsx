import { NativeSelect, TextInput } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { fieldError } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { Checkbox } from '../../ui/checkbox.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.ts';

/** The contents of a form of a subscription. An empty filter means all. */
export interface WebhookDraft {
  readonly target_url: string;
  readonly name: string;
  readonly events: readonly string[];
  readonly ordered: boolean;
  readonly source_id: string;
  readonly channel_id: string;
  readonly stage: string;
}

export const EMPTY_DRAFT: WebhookDraft = {
  ...{ target_url: '', name: '', events: [], ordered: false },
  ...{ source_id: '', channel_id: '', stage: '' },
};

/** The body of a create or a change. An empty filter removes it. */
export function bodyOf({ source_id, channel_id, stage, ...draft }: WebhookDraft) {
  const filter = { source_id: source_id || null, channel_id: channel_id || null, stage: stage || null };
  return { ...draft, events: [...draft.events], filter };
}

/** The pointers of the fields that show their own errors. */
export const FIELDS_WITH_ERRORS = ['/target_url', '/name', '/events'];

interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
  readonly error: Error | null;
}

/** The fields of a subscription, in a dialog and on its page. */
export function WebhookFields({ draft, onChange, error }: WebhookFieldsProps) {
  const set = (part: Partial<WebhookDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <TextInput
        type="url"
        label="URL"
        description="An https address that accepts POST requests"
        placeholder="https://crm.example.com/hooks/sluice"
        value={draft.target_url}
        onChange={(event) => set({ target_url: event.currentTarget.value })}
        error={fieldError(error, '/target_url')}
        required
        data-autofocus
      />
      <TextInput
        label="Name"
        description="For this list. Optional"
        placeholder="CRM"
        maxLength={200}
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={fieldError(error, '/name')}
      />
      <KindsField
        value={draft.events}
        onChange={(events) => set({ events })}
        error={fieldError(error, '/events')}
      />
      <Filters draft={draft} onChange={set} />
      <Switch
        label="In order"
        description="The messages about one record arrive one after the other. A failing one delays those behind it."
        checked={draft.ordered}
        onChange={(event) => set({ ordered: event.currentTarget.checked })}
      />
    </>
  );
}

interface KindsFieldProps {
  readonly value: readonly string[];
  readonly onChange: (events: readonly string[]) => void;
  readonly error: string | undefined;
}

function KindsField({ value, onChange, error }: KindsFieldProps) {
  const kinds = useRead(ROUTES.webhooks.kinds, {});
  const all = value.includes('*');
  return (
    <Loaded query={kinds}>
      {({ items }) => (
        <Checkbox.Group
          label="Events"
          value={[...value]}
          onChange={onChange}
          error={error && value.length === 0 ? 'Choose at least one event.' : error}
        >
          <div className="grid">
            <Checkbox value="*" label="All events" description="Also kinds that are added later" />
            {items.map(({ kind, name, sentence }) => (
              <Checkbox key={kind} value={kind} label={name} description={sentence} disabled={all} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </Loaded>
  );
}

interface FiltersProps {
  readonly draft: WebhookDraft;
  readonly onChange: (part: Partial<WebhookDraft>) => void;
}

function Filters({ draft, onChange }: FiltersProps) {
  const sources = useRead(ROUTES.sources.list, {});
  const channels = useRead(ROUTES.channels.list, {});
  const pipeline = useRead(ROUTES.pipeline.show, {});
  return (
    <>
      <NativeSelect
        label="Events of"
        data={choicesOf({
          all: 'All sources',
          of: sources.data?.items.map(({ source_id, name }) => ({ value: source_id, label: name })),
          chosen: draft.source_id,
          gone: 'Deleted source',
        })}
        value={draft.source_id}
        onChange={(event) => onChange({ source_id: event.currentTarget.value })}
      />
      <NativeSelect
        label="Conversations of"
        data={choicesOf({
          all: 'All channels',
          of: channels.data?.items.map(({ channel_id, name }) => ({ value: channel_id, label: name })),
          chosen: draft.channel_id,
          gone: 'Deleted channel',
        })}
        value={draft.channel_id}
        onChange={(event) => onChange({ channel_id: event.currentTarget.value })}
      />
      <NativeSelect
        label="Leads in"
        data={choicesOf({
          all: 'All stages',
          of: pipeline.data?.stages.map(({ id, name }) => ({ value: id, label: name })),
          chosen: draft.stage,
          gone: 'Deleted stage',
        })}
        value={draft.stage}
        onChange={(event) => onChange({ stage: event.currentTarget.value })}
      />
    </>
  );
}
