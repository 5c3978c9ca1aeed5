import * as channels from '@sluice/dashboard-api/channels';
import { type CasesOf, INVALID, onOne } from './route-case.ts';

/** Cases of channels. The routes of their signing secrets are those of sources. */
export const CHANNEL_CASES: CasesOf<'channels'> = {
  'channels.list': { good: () => ({}), answer: channels.channelList, bad: null, stranger: 'own' },
  'channels.create': {
    good: () => ({ body: { name: 'Website chat' } }),
    answer: channels.channelCreated,
    bad: { body: { name: ' ' }, code: INVALID },
    stranger: 'own',
  },
  'channels.show': onOne('channelParams', 'channelId', channels.channelWithActivity),
  'channels.setActive': {
    good: async ({ channelParams }) => ({ ...(await channelParams()), body: { active: false } }),
    answer: channels.channel,
    bad: { body: { active: 'no' }, code: INVALID },
    stranger: 'not_found',
  },
  'channels.settings': {
    good: async ({ channelParams }) => ({
      ...(await channelParams()),
      body: { name: 'New name', reply_url: 'https://chat.example.com/replies', makes_leads: true },
    }),
    answer: channels.channel,
    bad: { body: { reply_url: 'http://chat.example.com/' }, code: INVALID },
    stranger: 'not_found',
  },
  'channels.deletion': onOne('channelParams', 'channelId', channels.channelDeletion),
  'channels.delete': {
    good: async ({ channelParams }) => ({ ...(await channelParams()), body: { conversations: 'delete' } }),
    answer: null,
    bad: { body: { conversations: 'some' }, code: INVALID },
    stranger: 'not_found',
  },
  'channels.revealReplySecret': onOne('channelParams', 'channelId', channels.replySecret),
  'channels.rotateReplySecret': {
    good: async ({ channelParams }) => ({ ...(await channelParams()), body: { overlap: '1h' } }),
    answer: channels.replySecretRotated,
    bad: { body: { overlap: '2h' }, code: INVALID },
    stranger: 'not_found',
  },
};
