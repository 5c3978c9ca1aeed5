import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { localTime, utc } from '../../ui/time.ts';
import classes from './message.module.css';

const AUTHORS = { visitor: 'Visitor', bot: 'Bot', agent: 'Agent' } as const;

/** The name of a message's author; without one, what they are. */
export function authorName({ author, author_name }: Pick<MessageItem, 'author' | 'author_name'>): string {
  return author_name ?? AUTHORS[author];
}

interface MessageProps {
  readonly message: MessageItem;
  /** What can be done about it. */
  readonly children: ReactNode;
}

export function Message({ message, children }: MessageProps) {
  const { author, sent_at: at } = message;
  const name = authorName(message);
  return (
    <li className={classes.message} data-author={author}>
      <p className="row small breaks">
        <strong>{name}</strong>
        {name !== AUTHORS[author] && <span className="dimmed">{AUTHORS[author].toLowerCase()}</span>}
        <time dateTime={at} title={`${utc(at)}\n${localTime(at)}`} className="dimmed">
          {clockTime(at)}
        </time>
      </p>
      <p className={classes.text} dir="auto">
        {message.text}
      </p>
      <Delivery message={message} />
      {children}
    </li>
  );
}

/** Shows where a reply is, and why it failed. Messages of the channel have nothing to deliver. */
function Delivery({ message }: { readonly message: MessageItem }) {
  switch (message.delivery) {
    case null:
      return null;
    case 'pending':
      return (
        <span title="Kept here. The channel has not received it yet.">
          <Chip tone="quiet" icon="clock">
            pending
          </Chip>
        </span>
      );
    case 'delivered':
      return (
        <Chip tone="ok" icon="check">
          delivered
        </Chip>
      );
    case 'failed':
      return (
        <>
          <Chip tone="bad" icon="warning">
            failed
          </Chip>
          {message.delivery_reason != null && <span className="dimmed small">{message.delivery_reason}</span>}
        </>
      );
  }
}

/** Announces a new message to screen readers. Messages that the page opens with, and older ones, are not new. */
export function NewMessage({ messages }: { readonly messages: readonly MessageItem[] }) {
  const last = messages.at(-1);
  const known = useRef<string>(undefined);
  const [words, setWords] = useState('');
  useEffect(() => {
    if (last === undefined || last.message_id === known.current) return;
    if (known.current !== undefined) setWords(`New message from ${authorName(last)}: ${last.text}`);
    known.current = last.message_id;
  }, [last]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {words}
    </p>
  );
}

const day = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The viewer's day of an instant: `Friday, 27 November 2026`. */
export function dayOf(iso: string): string {
  return day.format(new Date(iso));
}

/** The viewer's time of day: `14:05`. */
function clockTime(iso: string): string {
  return clock.format(new Date(iso));
}
