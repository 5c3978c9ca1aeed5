import { route } from './route.ts';
import type { ChangeMapping, ChangeSender, PasteSecret, SenderChanged, SourceSender } from './senders.ts';
import type {
  ConfirmRotation,
  DeleteSource,
  NewSource,
  RotationCheck,
  RotationPrepared,
  SetActive,
  Source,
  SourceCreated,
  SourceDeletion,
  SourceList,
  SourceSecret,
  SourceSettings,
  SourceWithActivity,
} from './sources.ts';
import type { TestSend, TestSent } from './test-send.ts';

/** Sources, their secrets and settings, and test requests. */
export const SOURCE_ROUTES = {
  list: route<{ response: SourceList }>('GET', '/sources', 'viewer'),
  create: route<{ body: NewSource; response: SourceCreated }>('POST', '/sources', 'admin', 201),
  show: route<{ params: 'sourceId'; response: SourceWithActivity }>('GET', '/sources/:sourceId', 'viewer'),
  /** A POST, because it is audited and must not be prefetched. */
  revealSecret: route<{ params: 'sourceId'; response: SourceSecret }>(
    'POST',
    '/sources/:sourceId/secret/reveal',
    'admin',
  ),
  prepareRotation: route<{ params: 'sourceId'; response: RotationPrepared }>(
    'POST',
    '/sources/:sourceId/secret/prepare-rotation',
    'admin',
  ),
  confirmRotation: route<{ params: 'sourceId'; body: ConfirmRotation; response: Source }>(
    'POST',
    '/sources/:sourceId/secret/confirm-rotation',
    'admin',
  ),
  pasteSecret: route<{ params: 'sourceId'; body: PasteSecret; response: Source }>(
    'POST',
    '/sources/:sourceId/secret/paste',
    'admin',
  ),
  endOverlap: route<{ params: 'sourceId'; response: Source }>(
    'POST',
    '/sources/:sourceId/secret/end-overlap',
    'admin',
  ),
  rotationCheck: route<{ params: 'sourceId'; response: RotationCheck }>(
    'GET',
    '/sources/:sourceId/secret/rotation',
    'viewer',
  ),
  setActive: route<{ params: 'sourceId'; body: SetActive; response: Source }>(
    'PUT',
    '/sources/:sourceId/active',
    'admin',
  ),
  settings: route<{ params: 'sourceId'; body: SourceSettings; response: Source }>(
    'PATCH',
    '/sources/:sourceId',
    'admin',
  ),
  deletion: route<{ params: 'sourceId'; response: SourceDeletion }>(
    'GET',
    '/sources/:sourceId/deletion',
    'admin',
  ),
  delete: route<{ params: 'sourceId'; body: DeleteSource; response: null }>(
    'POST',
    '/sources/:sourceId/delete',
    'admin',
    204,
  ),
  sender: route<{ params: 'sourceId'; response: SourceSender }>('GET', '/sources/:sourceId/sender', 'admin'),
  changeSender: route<{ params: 'sourceId'; body: ChangeSender; response: SenderChanged }>(
    'PUT',
    '/sources/:sourceId/sender',
    'admin',
  ),
  /** 409 `conflict` for a source with the scheme of Sluice. */
  changeMapping: route<{ params: 'sourceId'; body: ChangeMapping; response: SourceSender }>(
    'PUT',
    '/sources/:sourceId/mapping',
    'admin',
  ),
  testSend: route<{ params: 'sourceId'; body: TestSend; response: TestSent }>(
    'POST',
    '/sources/:sourceId/test',
    'admin',
  ),
} as const;
