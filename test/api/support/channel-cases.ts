import * as channels from '@sluice/dashboard-api/channels';
import { type CasesOf, onOne } from './route-case.ts';

/** Cases of channels. The routes of their signing secrets are those of sources. */
export const CHANNEL_CASES: CasesOf<'channels'> = {
  'channels.list': { good: () => ({}), answer: channels.channelList, stranger: 'own' },
  'channels.create': {
    good: () => ({ body: { name: 'Website chat' } }),
    answer: channels.channelCreated,
    stranger: 'own',
  },
  'channels.show': onOne('channelParams', channels.channelWithActivity),
  'channels.setActive': {
    good: async ({ channelParams }) => ({ ...(await channelParams()), body: { active: false } }),
    answer: channels.channel,
    stranger: 'not_found',
  },
  'channels.settings': {
    good: async ({ channelParams }) => ({
      ...(await channelParams()),
      body: { name: 'New name', reply_url: 'https://chat.example.com/replies', makes_leads: true },
    }),
    answer: channels.channel,
    stranger: 'not_found',
  },
  'channels.deletion': onOne('channelParams', channels.channelDeletion),
  'channels.delete': {
    good: async ({ channelParams }) => ({ ...(await channelParams()), body: { conversations: 'delete' } }),
    answer: null,
    stranger: 'not_found',
  },
  'channels.revealReplySecret': onOne('channelParams', channels.replySecret),
  'channels.rotateReplySecret': {
    good: async ({ channelParams }) => ({ ...(await channelParams()), body: { overlap: '1h' } }),
    answer: channels.replySecretRotated,
    stranger: 'not_found',
  },
};
