import type {
  Channel,
  ChannelCreated,
  ChannelDeletion,
  ChannelList,
  ChannelSettings,
  ChannelWithActivity,
  DeleteChannel,
  NewChannel,
  ReplySecret,
  ReplySecretRotated,
  ReplySecretRotation,
} from './channels.ts';
import { get, io, patch, post, put } from './route.ts';
import type { SetActive } from './sources.ts';

/**
 * Channels and their settings. The routes of the signing secret are those of sources (`/sources/:sourceId/secret/…`) with
 * the id of the channel, and so is the delivery log.
 */
export const CHANNEL_ROUTES = {
  list: get('/channels', 'viewer', io<{ response: ChannelList }>()),
  create: post('/channels', 'admin', io<{ body: NewChannel; response: ChannelCreated }>(), 201),
  show: get('/channels/:channelId', 'viewer', io<{ response: ChannelWithActivity }>()),
  setActive: put('/channels/:channelId/active', 'admin', io<{ body: SetActive; response: Channel }>()),
  settings: patch('/channels/:channelId', 'admin', io<{ body: ChannelSettings; response: Channel }>()),
  deletion: get('/channels/:channelId/deletion', 'admin', io<{ response: ChannelDeletion }>()),
  delete: post('/channels/:channelId/delete', 'admin', io<{ body: DeleteChannel; response: null }>(), 204),
  /** A POST, because it is audited and must not be prefetched. */
  revealReplySecret: post(
    '/channels/:channelId/reply-secret/reveal',
    'admin',
    io<{ response: ReplySecret }>(),
  ),
  rotateReplySecret: post(
    '/channels/:channelId/reply-secret/rotate',
    'admin',
    io<{ body: ReplySecretRotation; response: ReplySecretRotated }>(),
  ),
} as const;
