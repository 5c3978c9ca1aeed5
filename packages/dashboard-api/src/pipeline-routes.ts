import type * as P from './pipeline.ts';
import { route } from './route.ts';

/** The stages of the account's leads, and how phone numbers are read. */
export const PIPELINE_ROUTES = {
  show: route<{ response: P.Pipeline }>('GET', '/pipeline', 'viewer'),
  addStage: route<{ body: P.NewStage; response: P.Pipeline }>('POST', '/pipeline/stages', 'admin', 201),
  changeStage: route<{ params: 'stageId'; body: P.StageChange; response: P.Pipeline }>(
    'PATCH',
    '/pipeline/stages/:stageId',
    'admin',
  ),
  orderStages: route<{ body: P.StageOrder; response: P.Pipeline }>('PUT', '/pipeline/order', 'admin'),
  retireStage: route<{ params: 'stageId'; body: P.StageRetirement; response: P.StageRetired }>(
    'POST',
    '/pipeline/stages/:stageId/retire',
    'admin',
  ),
  setPhoneRegion: route<{ body: P.PhoneRegion; response: P.Pipeline }>(
    'PUT',
    '/pipeline/phone-region',
    'admin',
  ),
} as const;
