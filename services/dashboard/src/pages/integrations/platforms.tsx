import { code } from './platforms/code.tsx';
import { make } from './platforms/make.tsx';
import { n8n } from './platforms/n8n.tsx';
import { nodeRed } from './platforms/node-red.tsx';
import { zapier } from './platforms/zapier.tsx';
import type { Platform } from './step-parts.tsx';

/** The platforms that the page explains. */
export const PLATFORMS: readonly [Platform, ...Platform[]] = [n8n, zapier, make, nodeRed, code];
