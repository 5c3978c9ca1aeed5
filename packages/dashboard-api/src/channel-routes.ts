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
import { route } from './route.ts';
import type { SetActive } from './sources.ts';

/**
 * Channels and their settings. The routes of the signing secret are those of sources (`/sources/:sourceId/secret/…`) with
 * the id of the channel, and so is the delivery log.
 */
export const CHANNEL_ROUTES = {
  list: route<{ response: ChannelList }>('GET', '/channels', 'viewer'),
  create: route<{ body: NewChannel; response: ChannelCreated }>('POST', '/channels', 'admin', 201),
  show: route<{ params: 'channelId'; response: ChannelWithActivity }>(
    'GET',
    '/channels/:channelId',
    'viewer',
  ),
  setActive: route<{ params: 'channelId'; body: SetActive; response: Channel }>(
    'PUT',
    '/channels/:channelId/active',
    'admin',
  ),
  settings: route<{ params: 'channelId'; body: ChannelSettings; response: Channel }>(
    'PATCH',
    '/channels/:channelId',
    'admin',
  ),
  deletion: route<{ params: 'channelId'; response: ChannelDeletion }>(
    'GET',
    '/channels/:channelId/deletion',
    'admin',
  ),
  delete: route<{ params: 'channelId'; body: DeleteChannel; response: null }>(
    'POST',
    '/channels/:channelId/delete',
    'admin',
    204,
  ),
  /** A POST, because it is audited and must not be prefetched. */
  revealReplySecret: route<{ params: 'channelId'; response: ReplySecret }>(
    'POST',
    '/channels/:channelId/reply-secret/reveal',
    'admin',
  ),
  rotateReplySecret: route<{
    params: 'channelId';
    body: ReplySecretRotation;
    response: ReplySecretRotated;
  }>('POST', '/channels/:channelId/reply-secret/rotate', 'admin'),
} as const;
