import { Button } from '@mantine/core';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { ConversationDetail } from '@sluice/dashboard-api/conversations';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { isMissing } from '../../api/api-error.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { endpointPath, leadPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { shortDay } from '../../ui/time.ts';
import classes from './conversations.module.css';
import factClasses from './facts.module.css';
import { Thread, ThreadHead } from './thread.tsx';

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

type Fact = readonly [name: string, value: ReactNode];

/** Lists the facts beside the messages: contact, lead, handoff, and the session data of the channel. */
function Facts({ conversation }: { readonly conversation: ConversationDetail }) {
  const { lead } = conversation;
  const session = Object.entries(conversation.session).map(
    ([name, value]): Fact => [name, value === null ? '–' : String(value)],
  );
  return (
    <>
      <Section title="Contact" facts={contactOf(conversation)} empty="The channel sent no contact." />
      <Section
        title="Lead"
        facts={
          lead === null
            ? []
            : [
                [
                  'Name',
                  <Link key="lead" to={leadPath(lead.lead_id)}>
                    {lead.name}
                  </Link>,
                ],
              ]
        }
        empty={
          conversation.erased_at === null
            ? 'No lead has this email address or phone number.'
            : `Erased on ${shortDay(conversation.erased_at)}. The conversation gets no other lead.`
        }
      />
      <Section title="Handoff" facts={handoffOf(conversation)} empty="Nobody has asked for a person." />
      <Section title="Conversation" facts={originOf(conversation)} empty="" />
      {session.length > 0 && <Section title="Session data" facts={session} empty="" />}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly facts: readonly Fact[];
  /** Shown where there is no fact. */
  readonly empty: string;
}

function Section({ title, facts, empty }: SectionProps) {
  return (
    <section className="stack-tiny">
      <h3>{title}</h3>
      {facts.length === 0 ? (
        <p className="dimmed small">{empty}</p>
      ) : (
        <dl className={`pairs ${factClasses.facts}`}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function contactOf({ contact: { name, email, phone } }: ConversationDetail): Fact[] {
  return [
    ...(name === null ? [] : [['Name', name] as const]),
    ...(email === null
      ? []
      : [['Email', <WithCopy key="email" text={email} what="email address" />] as const]),
    ...(phone === null
      ? []
      : [['Phone', <WithCopy key="phone" text={phone} what="phone number" />] as const]),
  ];
}

function handoffOf({ handoff: { requested_at, accepted_at, agent } }: ConversationDetail): Fact[] {
  return [
    ...(requested_at === null ? [] : [['Requested', <Ago key="requested" at={requested_at} />] as const]),
    ...(accepted_at === null ? [] : [['Taken over', <Ago key="accepted" at={accepted_at} />] as const]),
    ...(agent === null ? [] : [['Agent', agent] as const]),
  ];
}

function originOf(conversation: ConversationDetail): Fact[] {
  const { channel_id, channel_name, external_id, conversation_id, language, created_at } = conversation;
  const channel = conversation.channel_deleted ? (
    `${channel_name} (deleted)`
  ) : (
    <Link key="channel" to={endpointPath(channel_id, 'deliveries')}>
      {channel_name}
    </Link>
  );
  return [
    ['Channel', channel],
    ...(language === null ? [] : [['Language', language] as const]),
    ['Started', <Ago key="started" at={created_at} />],
    ['Channel’s id', <code key="external">{external_id}</code>],
    ['Id', <WithCopy key="id" text={conversation_id} what="conversation id" isCode />],
  ];
}

interface WithCopyProps {
  readonly text: string;
  readonly what: string;
  readonly isCode?: boolean;
}

function WithCopy({ text, what, isCode = false }: WithCopyProps) {
  return (
    <span className="line breaks">
      {isCode ? (
        <code className="ellipsis" title={text}>
          {text}
        </code>
      ) : (
        <span>
          <EmailText text={text} />
        </span>
      )}
      <CopyButton text={text} what={what} atEdge />
    </span>
  );
}
