import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookMessageItem } from '@sluice/dashboard-api/webhooks';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Chip, StatusChip, type Tone } from '../../ui/chip.tsx';
import { CodeBlock, CopyButton } from '../../ui/copy.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { duration } from '../../ui/time.ts';
import { useToast } from '../../ui/toaster.tsx';
import { counted } from '../../ui/words.ts';
import classes from './message-table.module.css';
import { NextAttempt } from './webhook-state.tsx';

interface MessageTableProps {
  readonly webhookId: string;
  readonly messages: readonly WebhookMessageItem[];
}

type Status = WebhookMessageItem['status'];

const STATES: Readonly<
  Record<Status, { readonly tone: Tone; readonly icon: IconName; readonly word: string }>
> = {
  pending: { tone: 'info', icon: 'clock', word: 'waiting' },
  delivered: { tone: 'ok', icon: 'check', word: 'delivered' },
  failed: { tone: 'bad', icon: 'cross', word: 'failed' },
  erased: { tone: 'quiet', icon: 'trash', word: 'erased' },
  discarded: { tone: 'quiet', icon: 'cross', word: 'discarded' },
};

export function MessageTable({ webhookId, messages }: MessageTableProps) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>Event</th>
          <th>Status</th>
          <th>Last attempt</th>
          <th>Created</th>
          <th className={table.end}>Attempts</th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <MessageRows
            key={message.id}
            webhookId={webhookId}
            message={message}
            isOpen={open === message.id}
            onToggle={() => setOpen(open === message.id ? null : message.id)}
          />
        ))}
      </tbody>
    </table>
  );
}

function attemptsWords(count: number): string {
  return counted(count, 'attempt');
}

interface MessageRowsProps {
  readonly webhookId: string;
  readonly message: WebhookMessageItem;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function MessageRows({ webhookId, message, isOpen, onToggle }: MessageRowsProps) {
  const { tone, icon, word } = STATES[message.status];
  const last = message.attempts.at(-1);
  return (
    <>
      <tr>
        <td>
          {message.type}
          <div className="dimmed small">
            <code>{message.id}</code> <CopyButton text={message.id} what={`id of message ${message.id}`} />
          </div>
        </td>
        <td data-label="Status">
          <span className="stack-tiny">
            <Chip tone={tone} icon={icon}>
              {word}
            </Chip>
            {message.next_attempt_at !== null && (
              <span className="small">
                <NextAttempt at={message.next_attempt_at} />
              </span>
            )}
          </span>
        </td>
        <td data-label="Last attempt">{last?.detail ?? <span className="dimmed">none yet</span>}</td>
        <td data-label="Created">
          <Ago at={message.created_at} inLog />
        </td>
        <td data-label="Attempts" className={table.end}>
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={isOpen}
            aria-label={`${attemptsWords(message.attempts.length)} of ${message.id}`}
            onClick={onToggle}
          >
            {message.attempts.length}
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5}>
            <div className="stack-small">
              <AttemptList attempts={message.attempts} />
              {message.type === 'webhook.test' ? (
                <p>The contents of a test are not kept. Send a new test to repeat it.</p>
              ) : (
                <Resend webhookId={webhookId} message={message} />
              )}
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

function Resend({
  webhookId,
  message,
}: {
  readonly webhookId: string;
  readonly message: WebhookMessageItem;
}) {
  const resend = useWrite(ROUTES.webhooks.redeliver, [ROUTES.webhooks.messages, ROUTES.webhooks.show]);
  const toast = useToast();
  const params = { webhookId, messageId: message.id };
  return (
    <div className="stack-tiny">
      <Button
        size="xs"
        variant="default"
        loading={resend.isPending}
        onClick={() => resend.mutate({ params }, { onSuccess: ({ note }) => toast(note) })}
      >
        Resend
      </Button>
      {resend.error !== null && <ErrorNote error={resend.error} />}
    </div>
  );
}

/** The attempts of a message, oldest first: when, how long, and what the receiver answered. */
function AttemptList({ attempts }: { readonly attempts: WebhookMessageItem['attempts'] }) {
  if (attempts.length === 0) return <p className="dimmed">No attempt yet.</p>;
  return (
    <ol className="stack-small">
      {attempts.map((attempt) => (
        <li key={attempt.at} className={classes.attempt}>
          <div className="row">
            {attempt.status === null ? (
              <Chip tone="bad" icon="warning">
                {attempt.code.replaceAll('_', ' ')}
              </Chip>
            ) : (
              <StatusChip status={attempt.status} />
            )}
            <Ago at={attempt.at} inLog />
            <span className="dimmed">took {duration(attempt.duration_ms)}</span>
            {attempt.redelivery && <Chip tone="quiet">resent</Chip>}
          </div>
          <span>{attempt.detail}</span>
          {attempt.response !== null && attempt.response !== '' && (
            <CodeBlock code={attempt.response} what="response" title="Start of the response" wrap />
          )}
        </li>
      ))}
    </ol>
  );
}
