import { Button } from '@mantine/core';
import { CONVERSATION_ORDER } from '@sluice/dashboard-api/conversation-order';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { conversationPath, endpointPath } from '../../shell/page-links.ts';
import { choicesOf, FilterSelect } from '../../ui/filters.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded, ShowMore } from '../../ui/states.tsx';
import { useAddress } from '../../ui/use-address.ts';
import { Conversation } from './conversation.tsx';
import { ConversationList } from './conversation-list.tsx';
import classes from './conversations.module.css';
import { STATUS_WORDS } from './status.tsx';
import { useConversations } from './use-conversations.ts';
import type { ListFilter } from './with-changes.ts';

const LEAD = 'People write to you through your channels. Take a conversation over to answer it yourself.';

export function ConversationsPage() {
  const { conversationId } = useParams();
  const { search, change, clear } = useAddress();
  const [status, channel] = [search.get('status'), search.get('channel')];
  const filter = useMemo(() => filterOf(status, channel), [status, channel]);
  const { pages, items, changedAt } = useConversations(filter);
  const isFiltered = Object.keys(filter).length > 0;
  const kept = search.toString() === '' ? '' : `?${search}`;
  return (
    <Page title="Conversations" {...(conversationId === undefined && { lead: LEAD })}>
      <div className={classes.columns} data-open={conversationId !== undefined}>
        <div className={classes.listColumn}>
          <ListFilters filter={filter} onChange={(name, value) => change({ [name]: value })} />
          <Card flush>
            <div className={classes.listBox}>
              <Loaded query={pages}>
                {() =>
                  items.length === 0 ? (
                    <NoConversations isFiltered={isFiltered} onClear={clear} />
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

const STATUSES = [
  { value: '', label: 'Any status' },
  ...CONVERSATION_ORDER.map((value) => ({ value, label: STATUS_WORDS[value].label })),
];

interface ListFiltersProps {
  readonly filter: ListFilter;
  /** An empty value selects any. */
  readonly onChange: (name: 'status' | 'channel', value: string) => void;
}

function ListFilters({ filter, onChange }: ListFiltersProps) {
  const { data } = useRead(ROUTES.channels.list, {});
  const hasSeveral = data !== undefined && data.items.length > 1;
  return (
    <search className={classes.filters} aria-label="Filter conversations">
      <FilterSelect
        data-filter
        label="Status"
        data={STATUSES}
        value={filter.status}
        onChange={(value) => onChange('status', value)}
      />
      {(hasSeveral || filter.channel_id !== undefined) && (
        <FilterSelect
          label="Channel"
          data={choicesOf({
            all: 'Any channel',
            of: data?.items.map(({ channel_id, name }) => ({ value: channel_id, label: name })),
            chosen: filter.channel_id ?? '',
            gone: 'Deleted channel',
          })}
          value={filter.channel_id}
          onChange={(value) => onChange('channel', value)}
        />
      )}
    </search>
  );
}

interface NoConversationsProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** Names the next step: add a channel, send a message, or clear the filters. */
function NoConversations({ isFiltered, onClear }: NoConversationsProps) {
  const channels = useRead(ROUTES.channels.list, {}, { enabled: !isFiltered });
  const mayChange = useMay('admin');
  if (isFiltered)
    return (
      <Empty
        icon="search"
        title="No matching conversations"
        actions={
          <Button variant="default" onClick={onClear}>
            Clear all filters
          </Button>
        }
      >
        New matching conversations appear here automatically.
      </Empty>
    );
  const [first] = channels.data?.items ?? [];
  if (first !== undefined)
    return (
      <Empty
        icon="conversations"
        title="Waiting for the first conversation"
        actions={
          <Button component={Link} to={endpointPath(first.channel_id, 'setup')}>
            Show the code
          </Button>
        }
      >
        Send a signed message to the endpoint URL of the channel {first.name}. It appears here within two
        seconds.
      </Empty>
    );
  return (
    <Empty
      icon="conversations"
      title="Add a channel to receive conversations"
      actions={
        <Button component={Link} to="/settings/channels">
          {mayChange ? 'Add a channel' : 'Channels'}
        </Button>
      }
    >
      A channel is your chat widget or messaging platform. It gets an endpoint URL and a signing secret, and
      sends its conversations here.
      {!mayChange && ' An owner or admin of the account can add one.'}
    </Empty>
  );
}
