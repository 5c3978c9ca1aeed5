import { preset } from './preset.ts';

export const TOKEN = preset('Bearer token', { kind: 'token', header: 'Authorization', scheme: 'Bearer' });
