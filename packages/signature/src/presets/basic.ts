import { preset } from './preset.ts';

export const BASIC = preset('User and password', { kind: 'basic', user: 'sluice' });
