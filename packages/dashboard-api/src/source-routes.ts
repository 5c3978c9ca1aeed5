import { get, io, patch, post, put } from './route.ts';
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
  list: get('/sources', 'viewer', io<{ response: SourceList }>()),
  create: post('/sources', 'admin', io<{ body: NewSource; response: SourceCreated }>(), 201),
  show: get('/sources/:sourceId', 'viewer', io<{ response: SourceWithActivity }>()),
  /** A POST, because it is audited and must not be prefetched. */
  revealSecret: post('/sources/:sourceId/secret/reveal', 'admin', io<{ response: SourceSecret }>()),
  prepareRotation: post(
    '/sources/:sourceId/secret/prepare-rotation',
    'admin',
    io<{ response: RotationPrepared }>(),
  ),
  confirmRotation: post(
    '/sources/:sourceId/secret/confirm-rotation',
    'admin',
    io<{ body: ConfirmRotation; response: Source }>(),
  ),
  pasteSecret: post(
    '/sources/:sourceId/secret/paste',
    'admin',
    io<{ body: PasteSecret; response: Source }>(),
  ),
  endOverlap: post('/sources/:sourceId/secret/end-overlap', 'admin', io<{ response: Source }>()),
  rotationCheck: get('/sources/:sourceId/secret/rotation', 'viewer', io<{ response: RotationCheck }>()),
  setActive: put('/sources/:sourceId/active', 'admin', io<{ body: SetActive; response: Source }>()),
  settings: patch('/sources/:sourceId', 'admin', io<{ body: SourceSettings; response: Source }>()),
  deletion: get('/sources/:sourceId/deletion', 'admin', io<{ response: SourceDeletion }>()),
  delete: post('/sources/:sourceId/delete', 'admin', io<{ body: DeleteSource; response: null }>(), 204),
  sender: get('/sources/:sourceId/sender', 'admin', io<{ response: SourceSender }>()),
  changeSender: put(
    '/sources/:sourceId/sender',
    'admin',
    io<{ body: ChangeSender; response: SenderChanged }>(),
  ),
  /** 409 `conflict` for a source with the scheme of Sluice. */
  changeMapping: put(
    '/sources/:sourceId/mapping',
    'admin',
    io<{ body: ChangeMapping; response: SourceSender }>(),
  ),
  testSend: post('/sources/:sourceId/test', 'admin', io<{ body: TestSend; response: TestSent }>()),
} as const;
