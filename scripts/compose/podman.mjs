import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '../lib/run.mjs';
import { must, run } from './command.mjs';

const PODMAN_COMPOSE = '1.6.0';
/** netavark calls iptables, and `init: true` needs catatonit. Debian only recommends or suggests these packages. */
const PACKAGES = [
  'podman',
  'runc',
  'catatonit',
  'netavark',
  'aardvark-dns',
  'iptables',
  'debootstrap',
  'python3-venv',
];
const COMMANDS = ['podman', 'runc', 'iptables', 'debootstrap'];

/**
 * podman with podman-compose, set up in a separate folder: storage, networks and settings are not those of the machine.
 * Resolves to `{ name, env }`, or to `{ why }`.
 */
export async function providePodman(folder) {
  const missing = await missingCommands();
  if (missing.length > 0) {
    if (process.getuid() !== 0)
      return {
        why: `no Docker daemon answers and ${missing.join(', ')} is missing; only root can install it`,
      };
    if (!existsSync('/usr/bin/apt-get'))
      return { why: `no Docker daemon answers and ${missing.join(', ')} is missing` };
    say(`installing ${PACKAGES.join(', ')} …`);
    const { code, output } = await install();
    if (code !== 0) return { why: `podman cannot be installed: ${output.trim().split('\n').at(-1)}` };
  }
  if (process.getuid() !== 0) return { why: 'podman is used as root only' };
  await mkdir(folder, { recursive: true });
  const env = { ...process.env, ...(await settings(folder)) };
  const venv = join(folder, `podman-compose-${PODMAN_COMPOSE}`);
  const command = join(venv, 'bin', 'podman-compose');
  if (!existsSync(command)) {
    say(`installing podman-compose ${PODMAN_COMPOSE} from PyPI …`);
    await must('python3', ['-m', 'venv', venv]);
    await must(join(venv, 'bin', 'pip'), ['install', '--quiet', `podman-compose==${PODMAN_COMPOSE}`]);
  }
  const version = (await must('podman', ['version', '--format', '{{.Client.Version}}'], { env })).trim();
  return {
    name: `podman ${version}, podman-compose ${PODMAN_COMPOSE}`,
    env: { ...env, PODMAN_COMPOSE: command },
  };
}

async function missingCommands() {
  const found = await Promise.all(COMMANDS.map((name) => run(name, ['--version'])));
  return COMMANDS.filter((_, index) => found[index].code !== 0);
}

async function install() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const args = ['install', '--yes', '--no-install-recommends', ...PACKAGES];
  const first = await run('apt-get', args, { env });
  if (first.code === 0) return first;
  await run('apt-get', ['update'], { env });
  return run('apt-get', args, { env });
}

/** Files for podman, and the variables that name them. */
async function settings(folder) {
  const files = {
    // crun fails on machines with both versions of cgroups. Containers have lower limits than podman asks for. aardvark-dns
    // 1.4 loses a question while it reloads, which each start and end of a container makes it do: without these options
    // the lookup is repeated only after 5 s.
    CONTAINERS_CONF: `[containers]
dns_options = ["timeout:1", "attempts:5"]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "${join(folder, 'networks')}"
`,
    CONTAINERS_STORAGE_CONF: `[storage]
driver = "overlay"
graphroot = "${join(folder, 'storage')}"
runroot = "${join(folder, 'run')}"
`,
    CONTAINERS_REGISTRIES_CONF:
      'unqualified-search-registries = ["docker.io"]\nshort-name-mode = "disabled"\n',
  };
  await mkdir(join(folder, 'networks'), { recursive: true });
  const variables = {};
  for (const [name, text] of Object.entries(files)) {
    variables[name] = join(folder, `${name.toLowerCase()}.toml`);
    await writeFile(variables[name], text);
  }
  // docker's format keeps the HEALTHCHECK. A build in chroot needs no separate network.
  return { ...variables, BUILDAH_FORMAT: 'docker', BUILDAH_ISOLATION: 'chroot' };
}
