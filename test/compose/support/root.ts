import { fileURLToPath } from 'node:url';

/** The folder of docker-compose.yml and Dockerfile; `/app` inside the images. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
