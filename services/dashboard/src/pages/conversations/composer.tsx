import { Button, Textarea } from '@mantine/core';
import type { ConversationDetail, MessageItem } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ApiError, fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { endpointPath } from '../../shell/page-links.ts';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useIsMine } from './status.tsx';
import classes from './thread.module.css';
import { createUnconfirmedReplies } from './unconfirmed-replies.ts';

interface ComposerProps {
  readonly conversation: ConversationDetail;
  readonly mayReply: boolean;
  /** The messages that the thread shows. */
  readonly messages: readonly MessageItem[];
  readonly onSent: (message: MessageItem) => void;
}

/** The field for a reply, or why there is none. A reply that was typed outlives its field: the conversation may close meanwhile. */
export function Composer({ conversation, mayReply, messages, onSent }: ComposerProps) {
  const { channel_deleted: isDeleted } = conversation;
  const reply = useReply({ conversationId: conversation.conversation_id, messages, onSent });
  const isMine = useIsMine(conversation);
  if (isMine && mayReply && !isDeleted) return <ReplyForm conversation={conversation} reply={reply} />;
  return (
    <div className={classes.hint}>
      <p>{isDeleted ? DELETED : mayReply ? hintOf(conversation) : 'Only owners and admins can reply.'}</p>
      {reply.text.trim() !== '' && (
        <Textarea
          readOnly
          className={classes.unsent}
          label={LEFT[reply.state]}
          autosize
          minRows={2}
          maxRows={8}
          value={reply.text}
        />
      )}
    </div>
  );
}

/** Names the text that is left when the field is gone. */
const LEFT: Readonly<Record<ReplyState, string>> = {
  unsent: 'Your reply is not sent',
  sending: 'Your reply is being sent',
  unknown: 'It is not known whether your reply was sent',
};
const DELETED = 'The channel was deleted. The conversation can only be read.';

function hintOf({ status, handoff }: ConversationDetail): string {
  switch (status) {
    case 'handoff_requested':
      return 'The visitor asked for a person. Take over to reply.';
    case 'open':
      return 'The channel answers this conversation. Take over to reply.';
    case 'handoff_active':
      return `Answered by ${handoff.agent ?? 'an agent'}. Take over to reply.`;
    case 'closed':
      return 'The conversation is closed. The next message of the visitor opens it again.';
  }
}

interface ReplyFormProps {
  readonly conversation: ConversationDetail;
  readonly reply: ReturnType<typeof useReply>;
}

function ReplyForm({ conversation, reply: { text, pending, error, onType, send } }: ReplyFormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const onSend = () => send(() => field.current?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the composition of a character, in Japanese for example.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  const wrong = fieldError(error, '/text');
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {!conversation.has_reply_url && (
        <p className={classes.warning}>
          The channel has no reply URL, so replies fail.{' '}
          <Link to={endpointPath(conversation.channel_id, 'settings')}>Set the reply URL</Link>
        </p>
      )}
      {error !== null && wrong === undefined && <ErrorNote error={error} />}
      <div className={classes.row}>
        <Textarea
          ref={field}
          className={classes.field}
          aria-label="Reply"
          placeholder="Write a reply"
          rows={2}
          value={text}
          onChange={(event) => onType(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          error={wrong}
        />
        <Button
          type="submit"
          className={classes.send}
          loading={pending}
          leftSection={<Icon name="send" size={16} />}
        >
          Send
        </Button>
      </div>
      <p className="dimmed small">Enter sends. Shift+Enter starts a new line.</p>
    </form>
  );
}

/** Outside of the form, so that an agent who leaves the conversation and comes back sends nothing twice. */
const unconfirmed = createUnconfirmedReplies({ newId: newReplyId, now: Date.now });

/** Whether the server has the text in the field. `unknown`: it was sent, and there was no response that says so. */
type ReplyState = 'unsent' | 'sending' | 'unknown';

interface ReplyProps {
  readonly conversationId: string;
  /** The messages that the thread shows. */
  readonly messages: readonly MessageItem[];
  readonly onSent: (message: MessageItem) => void;
}

/** The reply that an agent types, and its sending. */
function useReply({ conversationId, messages, onSent }: ReplyProps) {
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

/** A new id for a reply. 128 random bits never repeat in practice. */
function newReplyId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
