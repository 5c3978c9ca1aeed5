import { Button } from '@mantine/core';
import { MINUTE_MS } from '@sluice/contract/durations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { isMissing } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import classes from './conversations.module.css';
import { Facts } from './facts.tsx';
import { Thread } from './thread.tsx';
import { ThreadHead } from './thread-head.tsx';

/** Changes do not show that it was deleted. The page shows it within this time. */
const DELETED_AFTER_MS = MINUTE_MS;

interface ConversationProps {
  readonly conversationId: string;
  /** When it last changed, as far as the list shows; undefined: not since the page was opened. */
  readonly changedAt: string | undefined;
  /** Why changes cannot be read at the moment. */
  readonly trouble: Error | null;
  /** The address of the list. */
  readonly back: string;
}

/** One conversation: its messages, and what is known beside them. */
export function Conversation({ conversationId, changedAt, trouble, back }: ConversationProps) {
  const mayReply = useMay('admin');
  const detail = useRead(
    ROUTES.conversations.show,
    { params: { conversationId } },
    { everyMs: DELETED_AFTER_MS },
  );
  const { refetch } = detail;
  const isBehind = changedAt !== undefined && detail.data !== undefined && detail.data.updated_at < changedAt;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every further change is read.
  useEffect(() => {
    if (isBehind) void refetch();
  }, [isBehind, changedAt, refetch]);
  if (isMissing(detail.error)) return <Gone back={back} />;
  return (
    <>
      <div className={classes.threadColumn}>
        {/* A phone shows the thread without the list, which has the same mark. */}
        <Loaded query={{ ...detail, failureReason: detail.failureReason ?? trouble }}>
          {(conversation) => (
            <>
              <ThreadHead conversation={conversation} mayReply={mayReply} back={back} />
              <Thread
                conversation={conversation}
                changedAt={later(conversation.updated_at, changedAt)}
                mayReply={mayReply}
              />
            </>
          )}
        </Loaded>
      </div>
      <aside className={classes.factsColumn} aria-label="About this conversation">
        <Card>
          <Loaded query={detail}>{(conversation) => <Facts conversation={conversation} />}</Loaded>
        </Card>
      </aside>
    </>
  );
}

/** ISO 8601 in UTC, so texts compare like times. */
function later(one: string, other: string | undefined): string {
  return other !== undefined && other > one ? other : one;
}

function Gone({ back }: { readonly back: string }) {
  return (
    <Card>
      <Empty
        icon="search"
        title="This account has no such conversation"
        actions={
          <Button component={Link} to={back}>
            All conversations
          </Button>
        }
      >
        It may have been deleted with its channel. Or the address is mistyped or belongs to another account.
      </Empty>
    </Card>
  );
}
