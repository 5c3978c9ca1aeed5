import type { ConversationContact } from '@sluice/contract/conversation/conversation';
import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import { applyActions, visitorSays } from '../../support/conversations.ts';
import { callAs } from './source.ts';
import type { Person, Stack } from './stack.ts';

interface Filled {
  readonly channelId: string;
  /** A conversation in each of these states. */
  readonly conversations: { readonly requested: string; readonly active: string; readonly closed: string };
}

const PEOPLE: readonly ConversationContact[] = [
  { name: 'Grace Hopper', email: 'grace@example.com' },
  { name: 'Jean-Jacques Rousseau de la Tour d’Auvergne-Lauraguais', phone: '+33 1 23 45 67 89' },
  { email: 'someone.with.a.very.long.address@department.university.example.com' },
];

/** Adds a channel with a reply URL, and conversations in every state. */
export async function fillConversations(at: Stack, owner: Person): Promise<Filled> {
  const { channel } = await callAs<ChannelCreated>(at, owner, 'POST', '/channels', { name: 'Website chat' });
  const { channel_id: channelId } = channel;
  const settings = { reply_url: 'https://chat.example.com/replies' };
  await callAs(at, owner, 'PATCH', `/channels/${channelId}`, settings);
  const target = { accountId: at.accountId, channelId };
  const apply = (...actions: Parameters<typeof applyActions>[2]) => applyActions(at.store, target, actions);
  for (const [index, contact] of PEOPLE.entries())
    await apply(
      visitorSays(`open-${index}`, 'Is the library open on Sunday?', {
        conversation: { external_id: `open-${index}`, contact },
      }),
    );
  const closed = await apply(
    visitorSays('closed', 'Thank you, that helped.', {
      conversation: { external_id: 'closed', contact: { name: 'Alan Turing' }, subject: 'Lost ticket' },
    }),
    { kind: 'close', conversation: { external_id: 'closed' } },
  );
  const active = await apply(
    ...Array.from({ length: 70 }, (_, n) => visitorSays('active', `An earlier message, number ${n + 1}`)),
    visitorSays(
      'active',
      'Can I still get a ticket for the open day? There are four of us, and one uses a wheelchair.',
      {
        kind: 'request_handoff',
        conversation: {
          external_id: 'active',
          subject: 'Tickets for the open day',
          language: 'en',
          contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0000' },
          session: [
            ['page', 'https://example.com/open-day'],
            ['visits', 3],
            ['newsletter', true],
          ],
        },
      },
    ),
    {
      kind: 'message',
      conversation: { external_id: 'active' },
      message: { external_id: 'bot', author: 'bot', author_name: 'Helper', text: 'I am asking a colleague.' },
    },
  );
  await callAs(at, owner, 'POST', `/conversations/${active}/accept`);
  const body = {
    text: 'Yes, there are seats left.\nThe hall has a ramp at the back.',
    reply_id: 'reply-shown-1',
  };
  await callAs(at, owner, 'POST', `/conversations/${active}/messages`, body);
  const requested = await apply(
    visitorSays('requested', 'I would like to talk to a person, please.', {
      kind: 'request_handoff',
      conversation: {
        external_id: 'requested',
        contact: { name: 'Mary Jackson' },
        subject: 'Wheelchair access',
      },
    }),
  );
  return { channelId, conversations: { requested, active, closed } };
}
