import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import type { Plugin } from 'vite';
import { theme } from '../src/theme/theme.ts';

const ID = 'virtual:theme-variables.css';
const UNUSED_COLORS = /^--mantine-color-(pink|grape|violet|indigo|cyan|teal|lime|blue|green|yellow)-/;

/**
 * Serves the theme's CSS variables as a style sheet. By default Mantine writes them into a <style> element at run
 * time, which a content security policy of `style-src 'self'` blocks.
 */
export function themeVariables(): Plugin {
  return {
    name: 'sluice-theme-variables',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) => (id === `\0${ID}` ? css() : undefined),
  };
}

function css(): string {
  const { variables, light, dark } = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  return convertCssVariables({ variables: used(variables), light: used(light), dark: used(dark) }, ':root');
}

function used(variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !UNUSED_COLORS.test(name)));
}
