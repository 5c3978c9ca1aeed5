import type {
  NewStage,
  PhoneRegion,
  Pipeline,
  StageChange,
  StageOrder,
  StageRetired,
  StageRetirement,
} from './pipeline.ts';
import { route } from './route.ts';

/** The stages of the account's leads, and how phone numbers are read. */
export const PIPELINE_ROUTES = {
  show: route<{ response: Pipeline }>('GET', '/pipeline', 'viewer'),
  addStage: route<{ body: NewStage; response: Pipeline }>('POST', '/pipeline/stages', 'admin', 201),
  changeStage: route<{ params: 'stageId'; body: StageChange; response: Pipeline }>(
    'PATCH',
    '/pipeline/stages/:stageId',
    'admin',
  ),
  orderStages: route<{ body: StageOrder; response: Pipeline }>('PUT', '/pipeline/order', 'admin'),
  retireStage: route<{ params: 'stageId'; body: StageRetirement; response: StageRetired }>(
    'POST',
    '/pipeline/stages/:stageId/retire',
    'admin',
  ),
  setPhoneRegion: route<{ body: PhoneRegion; response: Pipeline }>('PUT', '/pipeline/phone-region', 'admin'),
} as const;
