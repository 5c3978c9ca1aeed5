import {
  localStorageColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { theme } from './theme.ts';

const schemes = localStorageColorSchemeManager();
const getRootElement = () => document.documentElement;

/**
 * Mantine's provider without its code that makes style sheets while the page runs. The content security policy blocks those, and
 * build/theme-variables.ts makes them before.
 */
export function ThemeProvider({ children }: { readonly children: ReactNode }) {
  const { colorScheme, setColorScheme, clearColorScheme } = useProviderColorScheme({
    manager: schemes,
    defaultColorScheme: 'auto',
    getRootElement,
    forceColorScheme: undefined,
  });
  const context = {
    ...{ colorScheme, setColorScheme, clearColorScheme, getRootElement },
    ...{ classNamesPrefix: 'mantine', cssVariablesSelector: ':root', withStaticClasses: true },
  };
  return (
    <MantineContext value={context}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}
