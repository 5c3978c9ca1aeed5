import type { ConversationDetail } from '@sluice/dashboard-api/conversations';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { channelPath, leadPath } from '../../shell/page-links.ts';
import { Ago } from '../../ui/ago.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import classes from './facts.module.css';

type Fact = readonly [name: string, value: ReactNode];

/** Lists the facts beside the messages: contact, lead, handoff, and the session data of the channel. */
export function Facts({ conversation }: { readonly conversation: ConversationDetail }) {
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
        empty="No lead has this email address or phone number."
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
    <section className={classes.section}>
      <h3>{title}</h3>
      {facts.length === 0 ? (
        <p className="dimmed small">{empty}</p>
      ) : (
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name} className={classes.pair}>
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
    <Link key="channel" to={channelPath(channel_id, 'deliveries')}>
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
    <span className={classes.copied}>
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
