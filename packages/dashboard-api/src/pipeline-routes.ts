import type {
  NewStage,
  PhoneRegion,
  Pipeline,
  StageChange,
  StageOrder,
  StageRetired,
  StageRetirement,
} from './pipeline.ts';
import { get, io, patch, post, put } from './route.ts';

/** The stages of the account's leads, and how phone numbers are read. */
export const PIPELINE_ROUTES = {
  show: get('/pipeline', 'viewer', io<{ response: Pipeline }>()),
  addStage: post('/pipeline/stages', 'admin', io<{ body: NewStage; response: Pipeline }>(), 201),
  changeStage: patch('/pipeline/stages/:stageId', 'admin', io<{ body: StageChange; response: Pipeline }>()),
  orderStages: put('/pipeline/order', 'admin', io<{ body: StageOrder; response: Pipeline }>()),
  retireStage: post(
    '/pipeline/stages/:stageId/retire',
    'admin',
    io<{ body: StageRetirement; response: StageRetired }>(),
  ),
  setPhoneRegion: put('/pipeline/phone-region', 'admin', io<{ body: PhoneRegion; response: Pipeline }>()),
} as const;
