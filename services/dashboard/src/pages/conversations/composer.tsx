import { Button, Textarea } from '@mantine/core';
import type { ConversationDetail, MessageItem } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ApiError, fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { randomId } from '../../api/random-id.ts';
import { endpointPath } from '../../shell/page-links.ts';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { forgetDraft, useDraft } from '../../ui/unsaved.ts';
import { useIsMine } from './status.tsx';
import classes from './thread.module.css';
import { createUnconfirmedReplies } from './unconfirmed-replies.ts';

interface ComposerProps {
  readonly conversation: ConversationDetail;
  readonly mayReply: boolean;
  readonly reply: Reply;
}

/** The field for a reply, or why there is none. A reply that was typed outlives its field: the conversation may close meanwhile. */
export function Composer({ conversation, mayReply, reply }: ComposerProps) {
  const { channel_deleted: isDeleted } = conversation;
  const isMine = useIsMine(conversation);
  const [wasMine] = useState(isMine);
  if (isMine && mayReply && !isDeleted)
    return <ReplyForm conversation={conversation} reply={reply} focuses={!wasMine} />;
  return (
    <div className={classes.hint}>
      <p>{isDeleted ? DELETED : mayReply ? hintOf(conversation) : 'Only owners and admins can reply.'}</p>
      {mayReply && !isDeleted && <NoReplyUrl conversation={conversation} />}
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

function NoReplyUrl({ conversation }: Pick<ComposerProps, 'conversation'>) {
  if (conversation.has_reply_url) return null;
  return (
    <p className={classes.warning}>
      The channel has no reply URL, so replies cannot be sent.{' '}
      <Link to={endpointPath(conversation.channel_id, 'settings')}>Set the reply URL</Link>
    </p>
  );
}

interface ReplyFormProps extends Pick<ComposerProps, 'conversation' | 'reply'> {
  /** The user has just taken the conversation over. */
  readonly focuses: boolean;
}

function ReplyForm({ conversation, reply, focuses }: ReplyFormProps) {
  const { text, pending, error, onType, send } = reply;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focuses) field.current?.focus();
  }, [focuses]);
  const canSend = conversation.has_reply_url;
  const onSend = () => canSend && send(() => field.current?.focus());
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
      <NoReplyUrl conversation={conversation} />
      {error !== null && wrong === undefined && <ErrorNote error={error} />}
      <div className={classes.row}>
        <Textarea
          ref={field}
          className={classes.field}
          aria-label="Reply"
          placeholder="Write a reply"
          autosize
          minRows={2}
          maxRows={8}
          value={text}
          onChange={(event) => onType(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          error={wrong}
        />
        <Button
          type="submit"
          className={classes.send}
          loading={pending}
          disabled={!canSend}
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
const unconfirmed = createUnconfirmedReplies({ newId: randomId, now: Date.now });

/** Whether the server has the text in the field. `unknown`: it was sent, and there was no response that says so. */
type ReplyState = 'unsent' | 'sending' | 'unknown';

type Reply = ReturnType<typeof useReply>;

interface ReplyProps {
  readonly conversationId: string;
  /** The messages that the thread shows. */
  readonly messages: readonly MessageItem[];
  readonly onSent: (message: MessageItem) => void;
}

/** The reply that an agent types, and its sending. Each conversation keeps its own. */
export function useReply({ conversationId, messages, onSent }: ReplyProps) {
  const reply = useWrite(ROUTES.conversations.reply, [ROUTES.conversations.show]);
  const name = `reply to ${conversationId}`;
  const [text, setText] = useDraft(name);
  // The same text keeps its id while it stays in the field, also if the thread shows the reply.
  const [tried, setTried] = useState<string>();
  const state = (): ReplyState => {
    if (tried === undefined) return 'unsent';
    if (reply.isPending) return 'sending';
    return isRejected(reply.error) ? 'unsent' : 'unknown';
  };
  const post = (sent: string, reply_id: string, onDone?: () => void) => {
    const onSuccess = (message: MessageItem) => {
      // The user may have typed another reply meanwhile.
      if (forgetDraft(name, sent)) setText('');
      setTried((now) => (now === reply_id ? undefined : now));
      onSent(message);
      onDone?.();
    };
    // A response that comes after the user has left the conversation confirms the reply too. The form shows an error.
    reply.mutateAsync({ params: { conversationId }, body: { text: sent, reply_id } }, { onSuccess }).then(
      () => {
        unconfirmed.confirm({ conversationId, text: sent });
        forgetDraft(name, sent);
      },
      () => undefined,
    );
  };
  const idOf = (sent: string) => unconfirmed.idOf({ conversationId, text: sent, messages });
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
      const reply_id = tried ?? idOf(text);
      setTried(reply_id);
      post(text, reply_id, onDone);
    },
    /** Sends the text of a reply that failed as another reply. */
    sendAgain(failed: string) {
      if (!reply.isPending) post(failed, idOf(failed));
    },
  };
}

/** Without a response, or if the server failed, the reply may be stored. */
function isRejected(error: Error | null): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}
