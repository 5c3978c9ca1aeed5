import { Button, Textarea } from '@mantine/core';
import type { ConversationDetail, MessageItem } from '@sluice/dashboard-api/conversations';
import { type KeyboardEvent, useRef } from 'react';
import { Link } from 'react-router';
import { fieldError } from '../../api/api-error.ts';
import { channelPath } from '../../shell/page-links.ts';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import classes from './thread.module.css';
import { useIsMine } from './use-is-mine.ts';
import { type ReplyState, useReply } from './use-reply.ts';

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
          <Link to={channelPath(conversation.channel_id, 'settings')}>Set the reply URL</Link>
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
