import type { ConversationItem } from '@sluice/dashboard-api/conversations';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'react-router';
import { Ago } from '../../ui/ago.tsx';
import { isDialogOpen, isTyping } from '../../ui/keyboard.ts';
import classes from './conversation-list.module.css';
import { authorName } from './message.tsx';
import { ConversationChip, visitorName, Waits } from './status.tsx';

interface ConversationListProps {
  readonly items: readonly ConversationItem[];
  readonly openId: string | undefined;
  readonly pathOf: (conversationId: string) => string;
}

export function ConversationList({ items, openId, pathOf }: ConversationListProps) {
  const list = useListKeys();
  return (
    <ul ref={list} className={classes.list} aria-label="Conversations">
      {items.map((item) => (
        <li key={item.conversation_id}>
          <Link
            to={pathOf(item.conversation_id)}
            className={classes.row}
            aria-current={item.conversation_id === openId ? 'page' : undefined}
          >
            <Row item={item} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Row({ item }: { readonly item: ConversationItem }) {
  const { last_message: last, subject } = item;
  const requestedAt = item.handoff.requested_at;
  return (
    <>
      <span className={classes.line}>
        <strong className="ellipsis">{visitorName(item)}</strong>
        <span className="dimmed small">
          {item.status === 'handoff_requested' && requestedAt !== null ? (
            <Waits since={requestedAt} />
          ) : (
            <Ago at={last?.sent_at ?? item.updated_at} />
          )}
        </span>
      </span>
      {subject !== null && <span className="strong ellipsis">{subject}</span>}
      <span className={`${classes.preview} ellipsis`}>
        {last !== null
          ? previewOf(last)
          : item.erased_at === null
            ? 'No messages yet'
            : 'Erased with its lead'}
      </span>
      <span className={classes.line}>
        <ConversationChip item={item} />
        <span className="dimmed small ellipsis">{item.channel_name}</span>
      </span>
    </>
  );
}

function previewOf(last: NonNullable<ConversationItem['last_message']>): string {
  return last.author === 'visitor' ? last.text : `${authorName(last)}: ${last.text}`;
}

/** Moves between conversations with `j` and `k`, and with the arrow keys on one of them. */
function useListKeys() {
  const list = useRef<HTMLUListElement>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const step = stepOf(event.key, at !== -1);
    if (step === 0 || links.length === 0) return;
    event.preventDefault();
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return list;
}

function stepOf(key: string, inList: boolean): number {
  if (key === 'j' || (inList && key === 'ArrowDown')) return 1;
  return key === 'k' || (inList && key === 'ArrowUp') ? -1 : 0;
}
