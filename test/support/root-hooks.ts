import type { Context, RootHookObject } from 'mocha';
import { noteEnd, printReport } from '../faults/support/report.ts';
import { closeAtTheEnd } from './at-the-end.ts';
import { closeSharedRedis, openSharedRedis } from './shared-redis.ts';

/** Loaded by mocha (`require` in .mocharc.json): the hooks that all tests of a run share. */
export const mochaHooks: RootHookObject = {
  beforeAll: openSharedRedis,
  afterEach(this: Context) {
    noteEnd(this.currentTest?.state);
  },
  afterAll: [closeAtTheEnd, closeSharedRedis, printReport],
};
