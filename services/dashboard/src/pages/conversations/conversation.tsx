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
import { Facts } from '../../ui/facts.tsx';
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
  /** The address of the list. */
  readonly back: string;
}

/** One conversation: its messages, and what is known beside them. */
export function Conversation({ conversationId, changedAt, back }: ConversationProps) {
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
        <Loaded query={detail}>
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
          <Loaded query={detail}>{(conversation) => <AllFacts conversation={conversation} />}</Loaded>
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

/** Lists the facts beside the messages: contact, lead, handoff, and the session data of the channel. */
function AllFacts({ conversation }: { readonly conversation: ConversationDetail }) {
  const { lead, contact, handoff, erased_at: erasedAt } = conversation;
  const session = Object.entries(conversation.session).map(([name, value]) => [name, String(value ?? '–')]);
  return (
    <>
      <Section title="Contact" empty="The channel sent no contact." of={contactOf(contact)} />
      <Section
        title="Lead"
        of={{ Name: lead !== null && <Link to={leadPath(lead.lead_id)}>{lead.name}</Link> }}
        empty={
          erasedAt === null
            ? 'No lead has this email address or phone number.'
            : `Erased on ${shortDay(erasedAt)}. The conversation gets no other lead.`
        }
      />
      <Section title="Handoff" empty="Nobody has asked for a person." of={handoffOf(handoff)} />
      <Section title="Conversation" empty="" of={originOf(conversation)} />
      {session.length > 0 && <Section title="Session data" empty="" of={Object.fromEntries(session)} />}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly of: Readonly<Record<string, ReactNode>>;
  /** Shown where there is no fact. */
  readonly empty: string;
}

function Section({ title, ...facts }: SectionProps) {
  return (
    <section className="stack-small">
      <h3>{title}</h3>
      <Facts className={factClasses.facts} {...facts} />
    </section>
  );
}

function contactOf({ name, email, phone }: ConversationDetail['contact']) {
  return {
    Name: name,
    Email: email !== null && <WithCopy text={email} what="email address" />,
    Phone: phone !== null && <WithCopy text={phone} what="phone number" />,
  };
}

function handoffOf({ requested_at, accepted_at, agent }: ConversationDetail['handoff']) {
  return {
    Requested: requested_at !== null && <Ago at={requested_at} />,
    'Taken over': accepted_at !== null && <Ago at={accepted_at} />,
    Agent: agent,
  };
}

function originOf(conversation: ConversationDetail) {
  const { channel_id, channel_name, external_id, conversation_id, language, created_at } = conversation;
  return {
    Channel: conversation.channel_deleted ? (
      `${channel_name} (deleted)`
    ) : (
      <Link to={endpointPath(channel_id, 'deliveries')}>{channel_name}</Link>
    ),
    Language: language,
    Started: <Ago at={created_at} />,
    'Channel’s id': <code>{external_id}</code>,
    Id: <WithCopy text={conversation_id} what="conversation id" isCode />,
  };
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
