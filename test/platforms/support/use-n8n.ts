import { atTheEndOfTheProcess } from '../../support/at-the-end.ts';
import { ofTheRun } from '../../support/of-the-run.ts';
import { createStarted, orStopped } from '../../support/started.ts';
import { type Account, type Installation, startInstallation } from './installation.ts';
import { type N8n, startN8n } from './n8n.ts';
import { type Credential, createEditor, type Editor } from './workflows.ts';

interface Platform {
  readonly sluice: Installation;
  readonly n8n: N8n;
}

/** The parts of a test file: the n8n and the Sluice of the run, and a separate account. */
export interface AtN8n extends Platform {
  readonly editor: Editor;
  readonly account: Account;
  /** An API key of the account, with all scopes. */
  readonly key: string;
  /** The key as a credential of the Sluice nodes. */
  readonly credential: Credential;
}

interface Mode {
  /** Several processes of n8n share a database. Default: one process does everything. */
  readonly inQueueMode?: boolean;
}

const shared = ofTheRun('n8n', () => new Map<boolean, Promise<Platform>>());

/** One n8n of a mode for all files, because a start takes longer than most tests. Each test unpublishes what it published. */
function sharedPlatform({ inQueueMode = false }: Mode): Promise<Platform> {
  const starting = shared.get(inQueueMode) ?? startBoth({ inQueueMode });
  shared.set(inQueueMode, starting);
  return starting;
}

async function startBoth(mode: Mode): Promise<Platform> {
  const started = createStarted();
  const sluice = started.keep(startInstallation(), (one) => one.stop());
  const n8n = started.keep(startN8n(mode), (one) => one.remove());
  await orStopped(started, () => started.all<unknown>([sluice, n8n]));
  atTheEndOfTheProcess(started.stop);
  return { sluice: await sluice, n8n: await n8n };
}

/** Call inside of `describe`. The result can be read from the first hook or test on. */
export function useN8n(mode: Mode = {}): AtN8n {
  let at: AtN8n;
  before(async function () {
    this.timeout(900_000);
    const { sluice, n8n } = await sharedPlatform(mode);
    const editor = createEditor(n8n);
    const account = await sluice.addAccount();
    const key = await account.addKey();
    const credential = await editor.addCredential('sluiceApi', { baseUrl: sluice.apiUrl, apiKey: key });
    at = { sluice, n8n, editor, account, key, credential };
  });
  return {
    get sluice() {
      return at.sluice;
    },
    get n8n() {
      return at.n8n;
    },
    get editor() {
      return at.editor;
    },
    get account() {
      return at.account;
    },
    get key() {
      return at.key;
    },
    get credential() {
      return at.credential;
    },
  };
}
