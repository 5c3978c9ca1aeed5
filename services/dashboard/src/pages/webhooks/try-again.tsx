import { Button, NativeSelect } from '@mantine/core';
import { HOUR_MS } from '@sluice/contract/durations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import settings from '../source/settings.module.css';
import { DiscardWaiting } from './discard-waiting.tsx';

const REFRESHES = [ROUTES.webhooks.messages, ROUTES.webhooks.show];
const SPANS = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
];

/** Sends a test, and what the receiver has missed. */
export function TryAgain({ webhook }: { readonly webhook: WebhookItem }) {
  return (
    <Card title="Try again">
      <div className={settings.form}>
        <SendTest webhookId={webhook.id} />
        <Recover webhookId={webhook.id} />
        <DiscardWaiting webhook={webhook} />
      </div>
    </Card>
  );
}

function SendTest({ webhookId }: { readonly webhookId: string }) {
  const test = useWrite(ROUTES.webhooks.test, REFRESHES);
  const tested = test.data;
  return (
    <>
      <div className={settings.line}>
        <span className="dimmed">Send one made-up message now, and see what the receiver answers.</span>
        <Button
          variant="default"
          loading={test.isPending}
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

function Recover({ webhookId }: { readonly webhookId: string }) {
  const recover = useWrite(ROUTES.webhooks.recover, REFRESHES);
  const [hours, setHours] = useState('24');
  const done = recover.data;
  const run = (since: string) => recover.mutate({ params: { webhookId }, body: { since } });
  return (
    <>
      <div className={settings.line}>
        <NativeSelect
          label="Send again what was not delivered in"
          data={SPANS}
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
        />
        <Button
          variant="default"
          loading={recover.isPending}
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
              : `${done.messages.toLocaleString('en')} messages are sent again.`}{' '}
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
