import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { useEffect, useRef, useState } from 'react';
import { authorName } from './message.tsx';

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
