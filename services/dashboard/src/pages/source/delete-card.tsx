import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SourceWithActivity } from '@sluice/dashboard-api/sources';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useRead, useReload, useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Form } from '../../ui/form.tsx';
import { isNameTyped } from '../../ui/is-name-typed.ts';
import { Modal } from '../../ui/modal.tsx';
import { Card } from '../../ui/page.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { forgetForms } from '../../ui/unsaved.ts';
import { counted, number } from '../../ui/words.ts';
import { ENDPOINT_ROUTES, kindOf, paramsOf } from './endpoint.ts';

const KINDS = {
  source: {
    contents: 'event',
    now: 'its signing secret stops working',
    list: '/events/webhook',
    stale: [ROUTES.sources.list, ROUTES.events.list],
    keep: 'They stay in the list, marked as events of a deleted source. You can still edit, cancel and delete them.',
    delete:
      'They are deleted within minutes, and cannot be restored. Webhook subscriptions get a message for each.',
  },
  channel: {
    contents: 'conversation',
    now: 'no reply is sent any more',
    list: '/settings/channels',
    stale: [ROUTES.channels.list, ROUTES.conversations.list],
    keep: 'They stay in the list and can be read. Nobody can take them over or reply.',
    delete:
      'They are deleted within minutes with their messages, and cannot be restored. The log loses the stored requests. Leads stay.',
  },
} as const;

/** Leads to the deletion of a source or channel. */
export function DeleteCard({ source }: { readonly source: SourceWithActivity }) {
  const kind = kindOf(source.source_id);
  const [asking, ask] = useDisclosure(false);
  return (
    <Card title={`Delete this ${kind}`}>
      <div className="row-between">
        <p className="dimmed">Its URL stops working permanently. To stop it for a while, switch it off.</p>
        <Button variant="outline" color="danger" onClick={ask.open}>
          Delete {kind}
        </Button>
      </div>
      {asking && <DeleteDialog source={source} onClose={ask.close} />}
    </Card>
  );
}

interface DeleteDialogProps {
  readonly source: SourceWithActivity;
  readonly onClose: () => void;
}

/**
 * The user chooses what becomes of the events or conversations, and types the name. It stays open while it deletes, so that an
 * error is seen.
 */
function DeleteDialog({ source: { source_id: id, name, ...recent }, onClose }: DeleteDialogProps) {
  const kind = kindOf(id);
  const { contents, now, list, stale, ...effects } = KINDS[kind];
  const params = paramsOf(id);
  const effect = useRead(ENDPOINT_ROUTES[kind].deletion, { params });
  const remove = useWrite(ENDPOINT_ROUTES[kind].delete);
  const reload = useReload(stale);
  const navigate = useNavigate();
  const toast = useToast();
  const [what, setWhat] = useState<'keep' | 'delete'>('keep');
  const [typed, setTyped] = useState('');
  const onSuccess = () => {
    toast(`Deleted “${name}”.`);
    forgetForms();
    // The page goes first: it polls, and would report that what it shows is gone.
    void navigate(list);
    void reload();
  };
  const onSubmit = () => {
    const body = kind === 'source' ? { events: what } : { conversations: what };
    remove.mutate({ params, body }, { onSuccess });
  };
  const { accepted_24h: accepted, last_delivery_at: last } = recent;
  return (
    <Modal opened onClose={onClose} title={`Delete “${name}”?`} size="md" closable={!remove.isPending}>
      <Form
        submit={`Delete ${kind}`}
        change={remove}
        onSubmit={onSubmit}
        onCancel={onClose}
        button={{ color: 'danger', disabled: !isNameTyped(typed, name) }}
      >
        <div className="stack-small breaks">
          <p>
            The next request to its URL gets <strong>404 Source not found</strong>, and {now}. A deleted{' '}
            {kind} cannot be restored.
          </p>
          <p>
            Requests that were accepted before are still applied. Its deliveries stay in the log until they
            expire.
          </p>
          {last !== null && (
            <p className="dimmed">
              {counted(accepted, 'request was', 'requests were')} accepted in the last 24 hours. The last
              delivery arrived <Ago at={last} />.
            </p>
          )}
        </div>
        <NativeSelect
          label={`What becomes of its ${countOf(effect.data, contents)}`}
          description={effects[what]}
          data={[
            { value: 'keep', label: `Keep the ${contents}s` },
            { value: 'delete', label: `Delete the ${contents}s` },
          ]}
          value={what}
          onChange={(event) => setWhat(event.currentTarget.value as typeof what)}
        />
        <TextInput
          label={`Type the name of the ${kind} to confirm`}
          placeholder={name}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
          autoComplete="off"
        />
      </Form>
    </Modal>
  );
}

type Counts = Readonly<Record<string, { readonly count: number; readonly more: boolean }>>;

/** `1 event`, `10,000 or more events`. Without a number while it loads. */
function countOf(known: Counts | undefined, contents: string): string {
  const [found] = Object.values(known ?? {});
  if (found === undefined) return `${contents}s`;
  return found.more ? `${number(found.count)} or more ${contents}s` : counted(found.count, contents);
}
