import { createRequire } from 'node:module';
import { join } from 'node:path';
import { atTheEnd } from '../../support/at-the-end.ts';
import { type PackedPackage, packPackage } from './packed.ts';

export type Row = Record<string, unknown>;
export type Perform = (z: unknown, bundle: unknown) => unknown;

export interface Operation {
  readonly type?: string;
  readonly perform: Perform;
  readonly performList: Perform;
  readonly performSubscribe: Perform;
  readonly performUnsubscribe: Perform;
  readonly inputFields?: readonly (Row | Perform)[];
  readonly outputFields: readonly { readonly key: string; readonly type?: string; readonly list?: boolean }[];
  readonly sample: Row;
}

export interface Part {
  readonly key: string;
  readonly noun: string;
  readonly display: { readonly label: string; readonly description: string; readonly hidden?: boolean };
  readonly operation: Operation;
}

/** The definition of the app, as Zapier reads it. */
export interface App {
  readonly version: string;
  readonly platformVersion: string;
  readonly authentication: { readonly test: Perform; readonly connectionLabel: Perform };
  readonly triggers: Readonly<Record<string, Part>>;
  readonly creates: Readonly<Record<string, Part>>;
  readonly searches: Readonly<Record<string, Part>>;
  readonly searchOrCreates: Readonly<Record<string, { readonly search: string; readonly create: string }>>;
}

/** The second argument of each function of the app. */
export interface Bundle {
  readonly authData?: Row;
  readonly inputData?: Row;
  readonly meta?: Row;
  readonly targetUrl?: string;
  readonly subscribeData?: Row;
  readonly rawRequest?: Row;
  readonly cleanedRequest?: unknown;
}

/** The packed app in zapier-platform-core. */
export interface Zapier {
  readonly packed: PackedPackage;
  readonly app: App;
  /** Runs a function of the app as Zapier does. Rejects with the error that Zapier gets. */
  run<T = Row>(perform: Perform | undefined, bundle: Bundle): Promise<T>;
  /** The errors of Zapier's schema. */
  validate(): Promise<readonly unknown[]>;
}

interface Core {
  createAppTester(app: App): (perform: Perform | undefined, bundle: Bundle) => Promise<unknown>;
  createAppHandler(app: App): (event: object) => Promise<{ results: readonly unknown[] }>;
}

let loaded: Zapier | undefined;

/** Builds and packs the app once for all files of a run. */
export function loadZapierApp(): Zapier {
  loaded ??= buildAndLoad();
  return loaded;
}

function buildAndLoad(): Zapier {
  const packed = packPackage('zapier');
  atTheEnd(async () => {
    loaded = undefined;
    packed.remove();
  });
  const load = createRequire(join(packed.folder, 'index.js'));
  const app = load('./index.js') as App;
  const core = load('zapier-platform-core') as Core;
  const tester = core.createAppTester(app);
  return {
    packed,
    app,
    run: <T>(perform: Perform | undefined, bundle: Bundle) => tester(perform, bundle) as Promise<T>,
    validate: async () => (await core.createAppHandler(app)({ command: 'validate' })).results,
  };
}

/** The error of Zapier, whose message is JSON for some kinds. */
export interface ZapierError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  readonly delay?: number;
}

/** The error that Zapier gets. Rejects if there is none. */
export async function errorOf(running: Promise<unknown>): Promise<ZapierError> {
  const error = await running.then(
    (result) => {
      throw new Error(`no error, but ${JSON.stringify(result)}`);
    },
    (reason: Error) => reason,
  );
  const { name, message } = error as Error;
  const fields = message.startsWith('{') ? (JSON.parse(message) as Omit<ZapierError, 'name'>) : { message };
  return { name, ...fields };
}
