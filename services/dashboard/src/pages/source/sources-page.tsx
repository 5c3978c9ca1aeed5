import { Button, NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { Link, useNavigate } from 'react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { deliveriesPath, endpointPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { NameDialog } from '../../ui/dialog-parts.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Card, Page, type PageProps } from '../../ui/page.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Table } from '../../ui/table.tsx';
import { forgetInDialogs } from '../../ui/unsaved.ts';
import { number } from '../../ui/words.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { asSource, ENDPOINT_ROUTES, type Endpoint, type EndpointKind } from './endpoint.ts';
import { SENDER_CHOICES } from './senders.ts';
import classes from './source-table.module.css';

const REFRESH_MS = 10_000;

interface Kind extends Required<Pick<PageProps, 'title' | 'crumbs' | 'lead'>> {
  readonly icon: IconName;
  readonly empty: string;
  /** Behind `empty`, for members who may not add one. */
  readonly whoAdds: string;
  /** The dialog for a new one. */
  readonly description: string;
  readonly placeholder: string;
  /** The page of a row. */
  readonly pathOf: (id: string) => string;
  /** The column that the other kind does not have. */
  readonly head: string;
  readonly label: string;
}

const KINDS: Readonly<Record<EndpointKind, Kind>> = {
  source: {
    title: 'Webhook',
    crumbs: [{ label: 'Knowledge' }, { label: 'Events', to: '/events' }],
    lead: 'Booking platforms, CRMs and your own backends send signed events here in real time.',
    icon: 'webhook',
    empty:
      'Add a source to get an endpoint URL and a signing secret. The next page has code that works when you paste it.',
    whoAdds: '',
    description: 'The system that will send events',
    placeholder: 'Booking platform',
    pathOf: (id) => deliveriesPath(id),
    head: 'Signing secret',
    label: 'Secret',
  },
  channel: {
    title: 'Channels',
    crumbs: [{ label: 'Settings' }],
    lead: 'Chat widgets and messaging platforms send their conversations here, and receive the replies.',
    icon: 'channel',
    empty:
      'A channel gets an endpoint URL and a signing secret. The next page has code that sends a first message.',
    whoAdds: ' An owner or admin of the account can add one.',
    description: 'The chat widget or platform that will send conversations',
    placeholder: 'Website chat',
    pathOf: (id) => endpointPath(id, 'setup'),
    head: 'Replies go to',
    label: 'Replies',
  },
};

export function SourcesPage() {
  return <EndpointsPage kind="source" />;
}

export function ChannelsPage() {
  return <EndpointsPage kind="channel" />;
}

function EndpointsPage({ kind }: { readonly kind: EndpointKind }) {
  const endpoints = useRead(ENDPOINT_ROUTES[kind].list, {}, { everyMs: REFRESH_MS });
  const mayChange = useMay('admin');
  const [creating, create] = useDisclosure(false);
  const { title, crumbs, lead, icon, empty, whoAdds } = KINDS[kind];
  const add = mayChange && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={create.open}>
      Add {kind}
    </Button>
  );
  const isEmpty = endpoints.data?.items.length === 0;
  return (
    <Page title={title} crumbs={crumbs} lead={lead} actions={isEmpty ? null : add}>
      <Card flush>
        <Loaded query={endpoints}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon={icon} title={`Add your first ${kind}`} actions={add}>
                {empty}
                {!mayChange && whoAdds}
              </Empty>
            ) : (
              <EndpointTable kind={kind} items={items} mayChange={mayChange} />
            )
          }
        </Loaded>
      </Card>
      {creating && <NewDialog kind={kind} onClose={create.close} />}
    </Page>
  );
}

interface NewDialogProps {
  readonly kind: EndpointKind;
  readonly onClose: () => void;
}

function NewDialog({ kind, onClose }: NewDialogProps) {
  const { list, create: route } = ENDPOINT_ROUTES[kind];
  const create = useWrite(route, [list, ROUTES.overview.show]);
  const navigate = useNavigate();
  const { description, placeholder } = KINDS[kind];
  return (
    <NameDialog
      title={`Add a ${kind}`}
      description={description}
      placeholder={placeholder}
      submit={`Add ${kind}`}
      change={create}
      onSubmit={(name, text) =>
        create.mutate(
          { body: kind === 'source' ? { name, sender: text('sender') } : { name } },
          {
            onSuccess: (made) => {
              const { source_id: id } = asSource('source' in made ? made.source : made.channel);
              forgetInDialogs();
              void navigate(endpointPath(id, 'setup'));
            },
          },
        )
      }
      onClose={onClose}
    >
      {kind === 'source' && (
        <NativeSelect
          name="sender"
          label="What sends to it?"
          description="Set up shows its steps. You can change this later."
          data={SENDER_CHOICES}
        />
      )}
    </NameDialog>
  );
}

interface EndpointTableProps {
  readonly kind: EndpointKind;
  readonly items: readonly Endpoint[];
  readonly mayChange: boolean;
}

function EndpointTable({ kind, items, mayChange }: EndpointTableProps) {
  const { head, label, pathOf } = KINDS[kind];
  return (
    <Table
      items={items.map(asSource)}
      keyOf={({ source_id: id }) => id}
      to={({ source_id: id }) => pathOf(id)}
      columns={[
        {
          head: kind === 'source' ? 'Source' : 'Channel',
          label: null,
          className: 'strong',
          cell: ({ source_id: id, name }) => <Link to={pathOf(id)}>{name}</Link>,
        },
        {
          head: 'Endpoint URL',
          label: 'Endpoint',
          cell: ({ source_id: id, name, endpoint_url: url }) => (
            <span className={`line ${classes.url}`}>
              {/* The copy button copies all of it. */}
              <code className="ellipsis" title={url}>
                {`${new URL(url).host}/…/${id}`}
              </code>
              <CopyButton text={url} what={`endpoint URL of ${name}`} />
            </span>
          ),
        },
        { head: 'Last 24 h', cell: (source) => <Activity of={source} /> },
        { head: 'Last delivery', cell: (source) => <Ago at={source.last_delivery_at} /> },
        { head, label, cell: (source) => <Own item={source} /> },
        {
          head: 'Active',
          className: table.whole,
          cell: (source) => <ActiveSwitch source={source} mayChange={mayChange} />,
        },
      ]}
    />
  );
}

/** Of a source the age of its secret, of a channel the host of its replies. */
function Own({ item }: { readonly item: Endpoint }) {
  if (!('channel_id' in item))
    return (
      <span>
        {item.secret_rotated_at === null ? 'set ' : 'rotated '}
        <Ago at={item.secret_rotated_at ?? item.created_at} />
      </span>
    );
  if (item.reply_url === null)
    return <Link to={endpointPath(item.channel_id, 'settings')}>Set the reply URL</Link>;
  return <span title={item.reply_url}>{new URL(item.reply_url).host}</span>;
}

/** The last 24 hours of a source or channel, as bars and in words. */
function Activity({ of }: { readonly of: Endpoint }) {
  const { accepted_24h: accepted, refused_24h: refused } = of;
  const words = `${number(accepted)} accepted, ${number(refused)} rejected`;
  return (
    <span className="stack-tiny">
      <Sparkline
        bars={of.activity.map((hour) => ({ good: hour.accepted, bad: hour.refused }))}
        label={`Requests in the last 24 hours: ${words}`}
      />
      <span className="small dimmed">
        {words}
        {accepted + refused > 0 && ` (${percent(accepted / (accepted + refused))})`}
      </span>
    </span>
  );
}

/** Rounded down, so that 100 % means that nothing was rejected. */
function percent(share: number): string {
  return `${number(Math.floor(share * 1000) / 10)}\u00a0%`;
}
