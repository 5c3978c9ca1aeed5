import { route } from './route.ts';
import type * as W from './sources.ts';
import type { TestSend, TestSent } from './test-send.ts';

/** Sources, their secrets and settings, and test requests. */
export const SOURCE_ROUTES = {
  list: route<{ response: W.SourceList }>('GET', '/sources', 'viewer'),
  create: route<{ body: W.NewSource; response: W.SourceCreated }>('POST', '/sources', 'admin', 201),
  show: route<{ params: 'sourceId'; response: W.SourceWithActivity }>('GET', '/sources/:sourceId', 'viewer'),
  /** A POST, because it is audited and must not be prefetched. */
  revealSecret: route<{ params: 'sourceId'; response: W.SourceSecret }>(
    'POST',
    '/sources/:sourceId/secret/reveal',
    'admin',
  ),
  prepareRotation: route<{ params: 'sourceId'; response: W.RotationPrepared }>(
    'POST',
    '/sources/:sourceId/secret/prepare-rotation',
    'admin',
  ),
  confirmRotation: route<{ params: 'sourceId'; body: W.ConfirmRotation; response: W.Source }>(
    'POST',
    '/sources/:sourceId/secret/confirm-rotation',
    'admin',
  ),
  endOverlap: route<{ params: 'sourceId'; response: W.Source }>(
    'POST',
    '/sources/:sourceId/secret/end-overlap',
    'admin',
  ),
  rotationCheck: route<{ params: 'sourceId'; response: W.RotationCheck }>(
    'GET',
    '/sources/:sourceId/secret/rotation',
    'viewer',
  ),
  setActive: route<{ params: 'sourceId'; body: W.SetActive; response: W.Source }>(
    'PUT',
    '/sources/:sourceId/active',
    'admin',
  ),
  settings: route<{ params: 'sourceId'; body: W.SourceSettings; response: W.Source }>(
    'PATCH',
    '/sources/:sourceId',
    'admin',
  ),
  deletion: route<{ params: 'sourceId'; response: W.SourceDeletion }>(
    'GET',
    '/sources/:sourceId/deletion',
    'admin',
  ),
  delete: route<{ params: 'sourceId'; body: W.DeleteSource; response: null }>(
    'POST',
    '/sources/:sourceId/delete',
    'admin',
    204,
  ),
  testSend: route<{ params: 'sourceId'; body: TestSend; response: TestSent }>(
    'POST',
    '/sources/:sourceId/test',
    'admin',
  ),
} as const;
