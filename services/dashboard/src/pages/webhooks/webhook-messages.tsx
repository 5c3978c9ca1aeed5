import { Button, NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { MessageQuery, WebhookItem } from '@sluice/dashboard-api/webhooks';
import { useState } from 'react';
import { usePages, useWrite } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/dialog-parts.tsx';
import { FilterSelect } from '../../ui/filters.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, ErrorNote, Listed, Note, ShowMore } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { useAddress } from '../../ui/use-address.ts';
import { counted, countedWaiting } from '../../ui/words.ts';
import { MessageTable } from './message-table.tsx';
import { isDead, SuccessRate, Waiting } from './webhook-state.tsx';

const REFRESH_MS = 2000;
const STATUSES = [
  { value: '', label: 'All messages' },
  { value: 'pending', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'discarded', label: 'Discarded' },
  { value: 'erased', label: 'Erased' },
];

/** The messages of a subscription with their attempts, newest first. */
export function WebhookMessages({ webhook }: { readonly webhook: WebhookItem }) {
  const { search, change } = useAddress();
  const status = search.get('status') ?? '';
  const query: MessageQuery = status === '' ? {} : { status: status as NonNullable<MessageQuery['status']> };
  const messages = usePages(
    ROUTES.webhooks.messages,
    { params: { webhookId: webhook.id }, query },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <div className="stack">
      <Card
        title="Messages"
        aside={
          <FilterSelect
            label="Status"
            data-filter
            data={STATUSES}
            value={status}
            onChange={(value) => change({ status: value })}
          />
        }
      >
        <p className="dimmed small">
          {'Last 24 h: '}
          <SuccessRate health={webhook.health} />
          {'. Waiting: '}
          <Waiting health={webhook.health} />.
        </p>
        <Listed
          list={messages}
          rows={5}
          empty={
            <Empty icon="send" title={status === '' ? 'No messages yet' : 'No messages with this status'}>
              {isDead(webhook)
                ? 'Nothing is sent until it is adopted.'
                : 'The next change that this subscription asks for appears here within seconds.'}
            </Empty>
          }
        >
          <MessageTable webhookId={webhook.id} messages={messages.items} />
        </Listed>
      </Card>
      {messages.hasNextPage && (
        <div>
          <ShowMore key={status} list={messages} label="Show older messages" />
        </div>
      )}
      <TryAgain webhook={webhook} />
    </div>
  );
}

const REFRESHES = [ROUTES.webhooks.messages, ROUTES.webhooks.show];
const SPANS = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
];

/** Sends a test, and what the receiver has missed. */
function TryAgain({ webhook }: { readonly webhook: WebhookItem }) {
  return (
    <Card title="Try again">
      <div className="stack">
        {isDead(webhook) && <p className="dimmed">Nothing is sent until it is adopted.</p>}
        <SendTest webhook={webhook} />
        <Recover webhook={webhook} />
        <DiscardWaiting webhook={webhook} />
      </div>
    </Card>
  );
}

function SendTest({ webhook }: { readonly webhook: WebhookItem }) {
  const webhookId = webhook.id;
  const test = useWrite(ROUTES.webhooks.test, REFRESHES);
  const tested = test.data;
  return (
    <>
      <div className="row-between">
        <span className="dimmed">Send one made-up message now, and see what the receiver answers.</span>
        <Button
          variant="default"
          loading={test.isPending}
          disabled={isDead(webhook)}
          onClick={() => test.mutate({ params: { webhookId }, body: {} })}
        >
          Send test
        </Button>
      </div>
      {test.error !== null && <ErrorNote error={test.error} />}
      {tested !== undefined && (
        <div role="status">
          <Note tone={tested.status === 'delivered' ? 'ok' : tested.status === 'failed' ? 'bad' : 'info'}>
            {tested.detail}
          </Note>
        </div>
      )}
    </>
  );
}

function Recover({ webhook }: { readonly webhook: WebhookItem }) {
  const webhookId = webhook.id;
  const recover = useWrite(ROUTES.webhooks.recover, REFRESHES);
  const [hours, setHours] = useState('24');
  const done = recover.data;
  const run = (since: string) => recover.mutate({ params: { webhookId }, body: { since } });
  return (
    <>
      <div className="row-between">
        <NativeSelect
          label="Send again what was not delivered in"
          data={SPANS}
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
        />
        <Button
          variant="default"
          loading={recover.isPending}
          disabled={isDead(webhook)}
          onClick={() => run(new Date(Date.now() - Number(hours) * HOUR_MS).toISOString())}
        >
          Recover
        </Button>
      </div>
      {recover.error !== null && <ErrorNote error={recover.error} />}
      {done !== undefined && (
        <div role="status">
          <Note tone="info">
            {done.messages === 0
              ? 'Nothing was missed.'
              : `${counted(done.messages, 'message is', 'messages are')} sent again.`}{' '}
            {done.more && (
              <Button size="compact-xs" variant="default" onClick={() => run(done.recovered_until)}>
                Go on
              </Button>
            )}
          </Note>
        </div>
      )}
    </>
  );
}

/** Ends what waits for a receiver as discarded. Its dialog stays if nothing waits any more, because its own request may be why. */
function DiscardWaiting({ webhook }: { readonly webhook: WebhookItem }) {
  const [asked, ask] = useDisclosure();
  const discard = useWrite(ROUTES.webhooks.discard, [ROUTES.webhooks.messages, ROUTES.webhooks.show]);
  const toast = useToast();
  return (
    <>
      {webhook.health.waiting > 0 && (
        <div className="row-between">
          <span className="dimmed">
            {countedWaiting(webhook.health.waiting, 'message waits', 'messages wait')}.
          </span>
          <Button variant="default" color="danger" onClick={ask.open}>
            Discard
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={asked}
        title="Discard what waits?"
        confirm="Discard messages"
        change={discard}
        onClose={ask.close}
        onConfirm={() =>
          discard.mutate(
            { params: { webhookId: webhook.id } },
            {
              onSuccess: ({ messages }) => {
                ask.close();
                toast(`${counted(messages, 'message')} discarded.`);
              },
            },
          )
        }
      >
        <p>
          What waits is not sent to {webhook.target_url}. Its status is discarded. Each message can be sent
          again for 30 days.
        </p>
      </ConfirmDialog>
    </>
  );
}
