import { Button } from '@mantine/core';
import type { ConversationDetail } from '@sluice/dashboard-api/conversations';
import { Fragment } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { Empty, ErrorNote, RowsSkeleton } from '../../ui/states.tsx';
import { Composer } from './composer.tsx';
import { dayOf } from './day.ts';
import { Message } from './message.tsx';
import { NewMessage } from './new-message.tsx';
import classes from './thread.module.css';
import { useScroll } from './use-scroll.ts';
import { useThread } from './use-thread.ts';

interface ThreadProps {
  readonly conversation: ConversationDetail;
  /** When it last changed. */
  readonly changedAt: string;
  readonly mayReply: boolean;
}

/** The messages of a conversation, oldest first, and the field for a reply. */
export function Thread({ conversation, changedAt, mayReply }: ThreadProps) {
  const { pages, messages, show } = useThread(conversation.conversation_id, changedAt);
  const { error, hasNextPage: hasOlder, isFetchingNextPage: isLoading, isFetchNextPageError } = pages;
  const onOlder = () => void pages.fetchNextPage();
  // After a failure they are asked for on request only: each scroll would fail again.
  const loadsOlder = hasOlder && !isFetchNextPageError;
  const { box, onScroll, unseen, toEnd } = useScroll({ messages, hasOlder: loadsOlder, isLoading, onOlder });
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
      <section ref={box} className={classes.messages} tabIndex={0} aria-label="Messages" onScroll={onScroll}>
        {error !== null && !isLoading && (
          <ErrorNote error={error} onRetry={isFetchNextPageError ? onOlder : () => void pages.refetch()} />
        )}
        {pages.isPending && <RowsSkeleton rows={6} />}
        {hasOlder && (!isFetchNextPageError || isLoading) && (
          <Button size="xs" variant="default" className={classes.older} loading={isLoading} onClick={onOlder}>
            Load older messages
          </Button>
        )}
        {pages.isSuccess && messages.length === 0 && (
          <Empty icon="conversations" title="No messages yet">
            The channel has opened the conversation. Messages appear here automatically.
          </Empty>
        )}
        <ol className={classes.list}>
          {messages.map((message, index) => {
            const day = dayOf(message.sent_at);
            const before = messages[index - 1];
            return (
              <Fragment key={message.message_id}>
                {(before === undefined || dayOf(before.sent_at) !== day) && (
                  <li className={classes.day}>{day}</li>
                )}
                <Message message={message} />
              </Fragment>
            );
          })}
        </ol>
      </section>
      {unseen && (
        <Button
          size="xs"
          className={classes.unseen}
          leftSection={<Icon name="below" size={14} />}
          onClick={toEnd}
        >
          New messages
        </Button>
      )}
      <NewMessage messages={messages} />
      <Composer
        conversation={conversation}
        mayReply={mayReply}
        messages={messages}
        onSent={(message) => {
          show(message);
          toEnd();
        }}
      />
    </>
  );
}
