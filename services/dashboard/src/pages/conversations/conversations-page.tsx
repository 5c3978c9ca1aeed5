import { CONVERSATION_ORDER } from '@sluice/dashboard-api/conversation-order';
import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { conversationPath } from '../../shell/page-links.ts';
import { Card, Page } from '../../ui/page.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Conversation } from './conversation.tsx';
import { ConversationList } from './conversation-list.tsx';
import classes from './conversations.module.css';
import { ListFilters } from './list-filters.tsx';
import { NoConversations } from './no-conversations.tsx';
import { useConversations } from './use-conversations.ts';
import type { ListFilter } from './with-changes.ts';

const LEAD = 'People write to you through your channels. Take a conversation over to answer it yourself.';

export function ConversationsPage() {
  const { conversationId } = useParams();
  const [search, setSearch] = useSearchParams();
  const [status, channel] = [search.get('status'), search.get('channel')];
  const filter = useMemo(() => filterOf(status, channel), [status, channel]);
  const { pages, items, changedAt, trouble } = useConversations(filter);
  const isFiltered = Object.keys(filter).length > 0;
  const kept = search.toString() === '' ? '' : `?${search}`;
  const query = { ...pages, failureReason: pages.failureReason ?? trouble };
  return (
    <Page title="Conversations" {...(conversationId === undefined && { lead: LEAD })}>
      <div className={classes.columns} data-open={conversationId !== undefined}>
        <div className={classes.listColumn}>
          <ListFilters
            filter={filter}
            onChange={(name, value) =>
              setSearch(
                (current) => {
                  if (value === '') current.delete(name);
                  else current.set(name, value);
                  return current;
                },
                { replace: true, preventScrollReset: true },
              )
            }
          />
          <Card flush>
            <div className={classes.listBox}>
              <Loaded query={query}>
                {() =>
                  items.length === 0 ? (
                    <NoConversations
                      isFiltered={isFiltered}
                      onClear={() => setSearch({}, { replace: true })}
                    />
                  ) : (
                    <ConversationList
                      items={items}
                      openId={conversationId}
                      pathOf={(id) => conversationPath(id) + kept}
                    />
                  )
                }
              </Loaded>
              <ShowMore key={JSON.stringify(filter)} list={pages} className={classes.more} />
            </div>
          </Card>
        </div>
        {conversationId === undefined ? (
          items.length > 0 && (
            <div className={classes.nothingOpen}>
              <Card>
                <Empty icon="conversations" title="Open a conversation">
                  Choose one from the list, or press j and Enter.
                </Empty>
              </Card>
            </div>
          )
        ) : (
          <Conversation
            key={conversationId}
            conversationId={conversationId}
            changedAt={changedAt(conversationId)}
            trouble={trouble}
            back={`/conversations${kept}`}
          />
        )}
      </div>
    </Page>
  );
}

function filterOf(status: string | null, channel: string | null): ListFilter {
  const known = CONVERSATION_ORDER.find((one) => one === status);
  return {
    ...(known !== undefined && { status: known }),
    ...(channel !== null && channel !== '' && { channel_id: channel }),
  };
}
