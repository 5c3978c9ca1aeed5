import type * as C from './channels.ts';
import { route } from './route.ts';
import type { SetActive } from './sources.ts';

/**
 * Channels and their settings. The routes of the signing secret are those of sources (`/sources/:sourceId/secret/…`) with
 * the id of the channel, and so is the delivery log.
 */
export const CHANNEL_ROUTES = {
  list: route<{ response: C.ChannelList }>('GET', '/channels', 'viewer'),
  create: route<{ body: C.NewChannel; response: C.ChannelCreated }>('POST', '/channels', 'admin', 201),
  show: route<{ params: 'channelId'; response: C.ChannelWithActivity }>(
    'GET',
    '/channels/:channelId',
    'viewer',
  ),
  setActive: route<{ params: 'channelId'; body: SetActive; response: C.Channel }>(
    'PUT',
    '/channels/:channelId/active',
    'admin',
  ),
  settings: route<{ params: 'channelId'; body: C.ChannelSettings; response: C.Channel }>(
    'PATCH',
    '/channels/:channelId',
    'admin',
  ),
  deletion: route<{ params: 'channelId'; response: C.ChannelDeletion }>(
    'GET',
    '/channels/:channelId/deletion',
    'admin',
  ),
  delete: route<{ params: 'channelId'; body: C.DeleteChannel; response: null }>(
    'POST',
    '/channels/:channelId/delete',
    'admin',
    204,
  ),
  /** A POST, because it is audited and must not be prefetched. */
  revealReplySecret: route<{ params: 'channelId'; response: C.ReplySecret }>(
    'POST',
    '/channels/:channelId/reply-secret/reveal',
    'admin',
  ),
  rotateReplySecret: route<{
    params: 'channelId';
    body: C.ReplySecretRotation;
    response: C.ReplySecretRotated;
  }>('POST', '/channels/:channelId/reply-secret/rotate', 'admin'),
} as const;
