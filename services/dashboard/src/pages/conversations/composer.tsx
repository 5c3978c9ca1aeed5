import { Button, Textarea } from '@mantine/core';
import type { ConversationDetail, MessageItem } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { fieldError } from '../../api/api-error.ts';
import { useWrite } from '../../api/queries.ts';
import { channelPath } from '../../shell/page-links.ts';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { newReplyId } from './reply-id.ts';
import classes from './thread.module.css';
import { createUnconfirmedReplies } from './unconfirmed-replies.ts';

/** Outside of the form, so that an agent who leaves the conversation and comes back sends nothing twice. */
const unconfirmed = createUnconfirmedReplies(newReplyId);

interface ComposerProps {
  readonly conversation: ConversationDetail;
  readonly mayReply: boolean;
  /** The messages that the thread shows. */
  readonly messages: readonly MessageItem[];
  readonly onSent: (message: MessageItem) => void;
}

/** The field for a reply, or why there is none. */
export function Composer({ conversation, mayReply, messages, onSent }: ComposerProps) {
  const { status, channel_deleted: isDeleted } = conversation;
  if (isDeleted)
    return <p className={classes.hint}>The channel was deleted. The conversation can only be read.</p>;
  if (status === 'handoff_active' && mayReply)
    return <ReplyForm conversation={conversation} messages={messages} onSent={onSent} />;
  return <p className={classes.hint}>{mayReply ? HINTS[status] : 'Only owners and admins can reply.'}</p>;
}

const HINTS: Readonly<Record<ConversationDetail['status'], string>> = {
  handoff_requested: 'The visitor asked for a person. Take over to reply.',
  open: 'The channel answers this conversation. Take over to reply.',
  handoff_active: '',
  closed: 'The conversation is closed. The next message of the visitor opens it again.',
};

function ReplyForm({ conversation, messages, onSent }: Omit<ComposerProps, 'mayReply'>) {
  const { conversation_id: conversationId, has_reply_url: hasReplyUrl } = conversation;
  const reply = useWrite(ROUTES.conversations.reply, [ROUTES.conversations.show]);
  const [text, setText] = useState('');
  useUnsaved(text.trim() !== '');
  // The same text keeps its id while it stays in the field, also if the thread shows the reply.
  const tried = useRef<string>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  const send = () => {
    if (text.trim() === '' || reply.isPending) return;
    tried.current ??= unconfirmed.idOf({ conversationId, text, messages });
    const body = { text, reply_id: tried.current };
    const shown = {
      onSuccess: (message: MessageItem) => {
        // The user may have typed another reply meanwhile.
        setText((now) => (now === text ? '' : now));
        tried.current = undefined;
        onSent(message);
        field.current?.focus();
      },
    };
    // A response that comes after the user has left the conversation confirms the reply too. The form shows an error.
    reply.mutateAsync({ params: { conversationId }, body }, shown).then(
      () => unconfirmed.confirm({ conversationId, text }),
      () => undefined,
    );
  };
  const onType = (typed: string) => {
    setText(typed);
    tried.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the composition of a character, in Japanese for example.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const wrong = fieldError(reply.error, '/text');
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {!hasReplyUrl && (
        <p className={classes.warning}>
          The channel has no reply URL, so replies fail.{' '}
          <Link to={channelPath(conversation.channel_id, 'settings')}>Set the reply URL</Link>
        </p>
      )}
      {reply.error !== null && wrong === undefined && <ErrorNote error={reply.error} />}
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
          loading={reply.isPending}
          leftSection={<Icon name="send" size={16} />}
        >
          Send
        </Button>
      </div>
      <p className="dimmed small">Enter sends. Shift+Enter starts a new line.</p>
    </form>
  );
}
