import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRef, useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { useUnsaved } from '../../ui/unsaved.ts';
import { newReplyId } from './reply-id.ts';

/** The reply that an agent types, and its sending. */
export function useReply(conversationId: string, onSent: (message: MessageItem) => void) {
  const reply = useWrite(ROUTES.conversations.reply, [ROUTES.conversations.show]);
  const [text, setText] = useState('');
  useUnsaved(text.trim() !== '');
  // A reply that is sent again after an error keeps its id, so that it arrives once. One that was changed meanwhile is another reply.
  const tried = useRef<string>(undefined);
  return {
    text,
    pending: reply.isPending,
    error: reply.error,
    onType(typed: string) {
      setText(typed);
      tried.current = undefined;
    },
    send(onDone: () => void) {
      if (text.trim() === '' || reply.isPending) return;
      tried.current ??= newReplyId();
      reply.mutate(
        { params: { conversationId }, body: { text, reply_id: tried.current } },
        {
          onSuccess: (message) => {
            // The user may have typed another reply meanwhile.
            setText((now) => (now === text ? '' : now));
            tried.current = undefined;
            onSent(message);
            onDone();
          },
        },
      );
    },
  };
}
