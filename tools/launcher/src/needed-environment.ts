import { type VariableName, variables } from '@sluice/runtime/config/variables';

export type ServiceKind = 'ingress' | 'worker' | 'api';

/** The services that read a secret. No other process gets it: what a process does not have, it cannot leak. */
const READERS: Readonly<Partial<Record<VariableName, readonly ServiceKind[]>>> = {
  SLUICE_SECRET_KEY: ['ingress', 'api'],
  SLUICE_SECRET_KEYS_OLD: ['ingress', 'api'],
  SMTP_URL: ['api'],
};

/** What takes the secrets that a service does not read out of its environment: Node leaves `undefined` out. */
export function withheldFrom(kind: ServiceKind): Withheld {
  const withheld = Object.entries(READERS).filter(([, readers]) => !readers.includes(kind));
  return without(withheld.map(([name]) => name));
}

/** The same for a program that is no part of Sluice, such as apt-get: it gets no variable of ours. */
export function withheldFromAll(): Withheld {
  return without(Object.keys(variables));
}

type Withheld = Readonly<Record<string, undefined>>;

function without(names: readonly string[]): Withheld {
  return Object.fromEntries(names.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, undefined]));
}

/** DATA_DIR names the installation in lists of processes. The others are what a program may need to start. */
const OF_STORES =
  /^(DATA_DIR|PATH|HOME|USER|TMPDIR|TZ|LANG|LANGUAGE|LC_.*|LD_.*|GLIBC_TUNABLES|MALLOC_.*|NODE_OPTIONS)$/;

/** The environment of a store that is started here: no variable of a service, and no secret of anything else. */
export function storeEnvironment(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(all).filter(([name]) => OF_STORES.test(name)));
}
