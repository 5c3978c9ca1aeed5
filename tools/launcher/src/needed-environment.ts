import { type VariableName, variables } from '@sluice/runtime/config/variables';

export type ServiceKind = 'ingress' | 'worker' | 'dispatcher' | 'api';

/** The services that read a secret. No other process gets it, so none can leak it. */
const READERS: Readonly<Partial<Record<VariableName, readonly ServiceKind[]>>> = {
  SLUICE_SECRET_KEY: ['ingress', 'dispatcher', 'api'],
  SLUICE_SECRET_KEYS_OLD: ['ingress', 'dispatcher', 'api'],
  SMTP_URL: ['api'],
};

/** Removes the secrets that a service does not read from its environment, because Node omits `undefined`. */
export function withheldFrom(kind: ServiceKind): Withheld {
  const withheld = Object.entries(READERS).filter(([, readers]) => !readers.includes(kind));
  return without(withheld.map(([name]) => name));
}

/** The same for a program outside Sluice, such as apt-get: it gets no variable of Sluice. */
export function withheldFromAll(): Withheld {
  return without(Object.keys(variables));
}

type Withheld = Readonly<Record<string, undefined>>;

function without(names: readonly string[]): Withheld {
  return Object.fromEntries(names.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, undefined]));
}

/** DATA_DIR identifies the installation in lists of processes. A program may need the others to start. */
const OF_STORES =
  /^(DATA_DIR|PATH|HOME|USER|TMPDIR|TZ|LANG|LANGUAGE|LC_.*|LD_.*|GLIBC_TUNABLES|MALLOC_.*|NODE_OPTIONS)$/;

/** The environment of a started store: no variable of a service, and no secret. */
export function storeEnvironment(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(all).filter(([name]) => OF_STORES.test(name)));
}
