import type { MessageItem } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { useUnsaved } from '../../ui/unsaved.ts';
import { newReplyId } from './reply-id.ts';
import { createUnconfirmedReplies } from './unconfirmed-replies.ts';

/** Outside of the form, so that an agent who leaves the conversation and comes back sends nothing twice. */
const unconfirmed = createUnconfirmedReplies({ newId: newReplyId, now: Date.now });

/** Whether the server has the text in the field. `unknown`: it was sent, and there was no response that says so. */
export type ReplyState = 'unsent' | 'sending' | 'unknown';

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
  const [tried, setTried] = useState<string>();
  const state = (): ReplyState => {
    if (tried === undefined) return 'unsent';
    if (reply.isPending) return 'sending';
    return isRejected(reply.error) ? 'unsent' : 'unknown';
  };
  return {
    text,
    state: state(),
    pending: reply.isPending,
    error: reply.error,
    onType(typed: string) {
      setText(typed);
      setTried(undefined);
    },
    send(onDone: () => void) {
      if (text.trim() === '' || reply.isPending) return;
      const reply_id = tried ?? unconfirmed.idOf({ conversationId, text, messages });
      setTried(reply_id);
      const shown = {
        onSuccess: (message: MessageItem) => {
          // The user may have typed another reply meanwhile.
          setText((now) => (now === text ? '' : now));
          setTried((now) => (now === reply_id ? undefined : now));
          onSent(message);
          onDone();
        },
      };
      // A response that comes after the user has left the conversation confirms the reply too. The form shows an error.
      reply.mutateAsync({ params: { conversationId }, body: { text, reply_id } }, shown).then(
        () => unconfirmed.confirm({ conversationId, text }),
        () => undefined,
      );
    },
  };
}

/** Without a response, or if the server failed, the reply may be stored. */
function isRejected(error: Error | null): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}
