import { Button } from '@mantine/core';
import type { ConversationDetail } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link } from 'react-router';
import { useWrite } from '../../api/queries.ts';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import list from './conversation-list.module.css';
import { ConversationChip } from './status-chip.tsx';
import { visitorName } from './status-words.ts';
import classes from './thread.module.css';
import { useIsMine } from './use-is-mine.ts';

interface ThreadHeadProps {
  readonly conversation: ConversationDetail;
  readonly mayReply: boolean;
  /** The address of the list. */
  readonly back: string;
}

/** Names the visitor and the state of the conversation, and lets an agent change the state. */
export function ThreadHead({ conversation, mayReply, back }: ThreadHeadProps) {
  const { status, subject, channel_deleted: isDeleted } = conversation;
  const name = visitorName(conversation);
  return (
    <header className={classes.head}>
      <Link to={back} className={classes.back}>
        <Icon name="back" size={16} />
        All conversations
      </Link>
      <div className={classes.headRow}>
        <div className={classes.who}>
          <h2>{subject ?? name}</h2>
          <p className="dimmed small">
            {subject !== null && `${name} · `}
            {conversation.channel_name}
            {isDeleted && ' · deleted channel'}
          </p>
        </div>
        <ConversationChip item={conversation} />
        {mayReply && !isDeleted && status !== 'closed' && <Actions conversation={conversation} />}
      </div>
    </header>
  );
}

function Actions({ conversation }: Pick<ThreadHeadProps, 'conversation'>) {
  const refreshes = [ROUTES.conversations.show, ROUTES.conversations.list];
  const accept = useWrite(ROUTES.conversations.accept, refreshes);
  const end = useWrite(ROUTES.conversations.end, refreshes);
  const params = { conversationId: conversation.conversation_id };
  const error = accept.error ?? end.error;
  const isMine = useIsMine(conversation);
  const { status, handoff } = conversation;
  // The error of the other button is about a state that is over.
  const onEnd = () => {
    accept.reset();
    end.mutate({ params });
  };
  const onAccept = () => {
    end.reset();
    accept.mutate({ params });
  };
  return (
    <>
      {isMine ? (
        <Button variant="default" size="xs" loading={end.isPending} onClick={onEnd}>
          End handoff
        </Button>
      ) : (
        <Button size="xs" loading={accept.isPending} onClick={onAccept}>
          <span className={`${list.agent} ellipsis`}>
            Take over
            {status === 'handoff_active' && handoff.agent !== null && (
              <>
                {' '}
                from <bdi>{handoff.agent}</bdi>
              </>
            )}
          </span>
        </Button>
      )}
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}
