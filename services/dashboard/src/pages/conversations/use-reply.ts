import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRef, useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { useUnsaved } from '../../ui/unsaved.ts';
import { newReplyId } from './reply-id.ts';
import { createUnconfirmedReplies } from './unconfirmed-replies.ts';

/** Outside of the form, so that an agent who leaves the conversation and comes back sends nothing twice. */
const unconfirmed = createUnconfirmedReplies(newReplyId);

interface ReplyProps {
  readonly conversationId: string;
  /** The messages that the thread shows. */
  readonly messages: readonly MessageItem[];
  readonly onSent: (message: MessageItem) => void;
}

/** The reply that an agent types, and its sending. */
export function useReply({ conversationId, messages, onSent }: ReplyProps) {
  const reply = useWrite(ROUTES.conversations.reply, [ROUTES.conversations.show]);
  const [text, setText] = useState('');
  useUnsaved(text.trim() !== '');
  // The same text keeps its id while it stays in the field, also if the thread shows the reply.
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
      tried.current ??= unconfirmed.idOf({ conversationId, text, messages });
      const shown = {
        onSuccess: (message: MessageItem) => {
          // The user may have typed another reply meanwhile.
          setText((now) => (now === text ? '' : now));
          tried.current = undefined;
          onSent(message);
          onDone();
        },
      };
      // A response that comes after the user has left the conversation confirms the reply too. The form shows an error.
      reply.mutateAsync({ params: { conversationId }, body: { text, reply_id: tried.current } }, shown).then(
        () => unconfirmed.confirm({ conversationId, text }),
        () => undefined,
      );
    },
  };
}
