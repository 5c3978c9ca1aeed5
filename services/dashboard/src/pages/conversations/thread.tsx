import { Button } from '@mantine/core';
import type { ConversationDetail, MessageItem } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Fragment, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { callApi } from '../../api/api-client.ts';
import { useWrite } from '../../api/queries.ts';
import { Icon } from '../../ui/icons.tsx';
import { Empty, ErrorNote, RowsSkeleton } from '../../ui/states.tsx';
import { shortDay } from '../../ui/time.ts';
import { Composer, useReply } from './composer.tsx';
import list from './conversation-list.module.css';
import { dayOf, Message, NewMessage } from './message.tsx';
import { ConversationChip, useIsMine, visitorName } from './status.tsx';
import classes from './thread.module.css';
import { continues, withMessages } from './with-changes.ts';

interface ThreadProps {
  readonly conversation: ConversationDetail;
  /** When it last changed. */
  readonly changedAt: string;
  readonly mayReply: boolean;
}

/** The messages of a conversation, oldest first, and the field for a reply. */
export function Thread({ conversation, changedAt, mayReply }: ThreadProps) {
  const { conversation_id: conversationId, channel_deleted: isDeleted } = conversation;
  const { pages, messages, show } = useThread(conversationId, changedAt);
  const { error, hasNextPage: hasOlder, isFetchingNextPage: isLoading, isFetchNextPageError } = pages;
  const onOlder = () => void pages.fetchNextPage();
  // After a failure they are asked for on request only: each scroll would fail again.
  const loadsOlder = hasOlder && !isFetchNextPageError;
  const { box, onScroll, unseen, toEnd } = useScroll({ messages, hasOlder: loadsOlder, isLoading, onOlder });
  const onSent = (message: MessageItem) => {
    show(message);
    toEnd();
  };
  const reply = useReply({ conversationId, messages, onSent });
  const canReply = useIsMine(conversation) && mayReply && !isDeleted;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
      <section ref={box} className={classes.messages} tabIndex={0} aria-label="Messages" onScroll={onScroll}>
        {error !== null && !isLoading && (
          <ErrorNote error={error} onRetry={isFetchNextPageError ? onOlder : () => void pages.refetch()} />
        )}
        {pages.isPending && <RowsSkeleton rows={6} />}
        {hasOlder && (!isFetchNextPageError || isLoading) && (
          <Button size="xs" variant="default" className="center" loading={isLoading} onClick={onOlder}>
            Load older messages
          </Button>
        )}
        {pages.isSuccess && messages.length === 0 && <NoMessages erasedAt={conversation.erased_at} />}
        <ol className={classes.list}>
          {messages.map((message, index) => {
            const day = dayOf(message.sent_at);
            const before = messages[index - 1];
            return (
              <Fragment key={message.message_id}>
                {(before === undefined || dayOf(before.sent_at) !== day) && (
                  <li className="center dimmed small">{day}</li>
                )}
                <Message message={message}>
                  {canReply && message.delivery === 'failed' && (
                    <Button size="compact-xs" variant="default" onClick={() => reply.sendAgain(message.text)}>
                      Send again
                    </Button>
                  )}
                </Message>
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
      <Composer conversation={conversation} mayReply={mayReply} reply={reply} />
    </>
  );
}

function NoMessages({ erasedAt }: { readonly erasedAt: string | null }) {
  if (erasedAt === null)
    return (
      <Empty icon="conversations" title="No messages yet">
        The channel has opened the conversation. Messages appear here automatically.
      </Empty>
    );
  return (
    <Empty icon="trash" title={`Erased on ${shortDay(erasedAt)} with its lead`}>
      A new message of the visitor would appear here.
    </Empty>
  );
}

interface ThreadHeadProps {
  readonly conversation: ConversationDetail;
  readonly mayReply: boolean;
  /** The address of the list. */
  readonly back: string;
}

/** Names the visitor and the state of the conversation, and lets an agent change the state. */
export function ThreadHead({ conversation, mayReply, back }: ThreadHeadProps) {
  const { status, subject, channel_deleted: isDeleted } = conversation;
  const isEmptied = conversation.erased_at !== null && conversation.last_message === null;
  const name = visitorName(conversation);
  return (
    <header className={classes.head}>
      <Link to={back} className={classes.back}>
        <Icon name="back" size={16} />
        All conversations
      </Link>
      <div className="row">
        <div className={classes.who}>
          <h2>{subject ?? name}</h2>
          <p className="dimmed small">
            {subject !== null && `${name} · `}
            {conversation.channel_name}
            {isDeleted && ' · deleted channel'}
          </p>
        </div>
        <ConversationChip item={conversation} />
        {mayReply && !isDeleted && !isEmptied && status !== 'closed' && (
          <Actions conversation={conversation} />
        )}
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

const NEAR_PX = 120;

interface ScrollInput {
  readonly messages: readonly MessageItem[];
  readonly hasOlder: boolean;
  readonly isLoading: boolean;
  readonly onOlder: () => void;
}

/**
 * Keeps a thread where its reader is. At the end it follows new messages. Further up, older messages appear above without
 * moving the text, and new ones below are only reported (`unseen`).
 */
function useScroll({ messages, hasOlder, isLoading, onOlder }: ScrollInput) {
  const box = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  const before = useRef<{ first?: string; last?: string; height: number }>({ height: 0 });
  const [unseen, setUnseen] = useState(false);
  const toEnd = () => {
    const element = box.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    atEnd.current = true;
    setUnseen(false);
  };
  const first = messages[0]?.message_id;
  const last = messages.at(-1)?.message_id;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { current: seen } = before;
    if (atEnd.current) element.scrollTop = element.scrollHeight;
    else if (first !== seen.first) element.scrollTop += element.scrollHeight - seen.height;
    else if (last !== seen.last) setUnseen(true);
    before.current = { height: element.scrollHeight, ...(first && { first }), ...(last && { last }) };
  }, [first, last]);
  // Also where a message or the field below grows.
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
      before.current.height = element.scrollHeight;
    });
    for (const one of [element, ...element.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const element = box.current;
    if (element === null) return;
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    if (atEnd.current) setUnseen(false);
    if (element.scrollTop < NEAR_PX && hasOlder && !isLoading) onOlder();
  };
  return { box, onScroll, unseen, toEnd };
}

const PAGE = 50;
/** A delivery changes a message and not its conversation. So a pending reply is looked at again after this time, and so is a page that failed. */
const PENDING_EVERY_MS = 2000;
const MESSAGES = ROUTES.conversations.messages;

/**
 * The messages of a conversation: the newest page first, then older ones on request. Each change of the conversation
 * (`changedAt`) reads the newest page again, and so does a reply that is pending.
 */
function useThread(conversationId: string, changedAt: string) {
  const params = { conversationId };
  const pages = useInfiniteQuery({
    queryKey: [MESSAGES.path, conversationId],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        MESSAGES,
        { params, query: { limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    // A thread that was left may have changed by more than a page meanwhile.
    gcTime: 0,
  });
  const [newer, setNewer] = useState<readonly MessageItem[]>([]);
  const loaded = pages.data?.pages;
  const messages = useMemo(() => {
    const older = loaded?.toReversed().flatMap(({ items }) => items) ?? [];
    return withMessages(older, newer);
  }, [loaded, newer]);
  const isPending = messages.slice(-PAGE).some(({ delivery }) => delivery === 'pending');
  const newest = useQuery({
    queryKey: [MESSAGES.path, conversationId, 'newest', changedAt],
    queryFn: ({ signal }) => callApi(MESSAGES, { params, query: { limit: PAGE } }, signal),
    refetchInterval: ({ state }) => (isPending || state.error !== null ? PENDING_EVERY_MS : false),
    gcTime: 0,
  });
  const { refetch } = pages;
  const add = useEffectEvent((items: readonly MessageItem[]) => {
    if (continues(messages, items)) {
      setNewer((before) => withMessages(before, items));
      return;
    }
    setNewer([]);
    void refetch();
  });
  useEffect(() => {
    if (newest.data !== undefined) add(newest.data.items);
  }, [newest.data]);
  /** Shows a reply that was just sent at once. If the thread has read it meanwhile, that is the later version. */
  const show = (message: MessageItem) => setNewer((before) => withMessages([message], before));
  return { pages, messages, show };
}
