import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { SteadyButton } from '../ui/steady-button.tsx';

/** The accent colour of the dashboard. */
const tide: MantineColorsTuple = [
  '#eaf7fb',
  '#d6edf5',
  '#aadbeb',
  '#7bc7e0',
  '#55b7d7',
  '#3dacd2',
  '#2296bd',
  '#11789a',
  '#0b6482',
  '#064f68',
];

const dark: MantineColorsTuple = [
  '#e3e7ed',
  '#bdc4cf',
  '#98a2b1',
  '#6b7687',
  '#465062',
  '#323b4a',
  '#242c38',
  '#12171e',
  '#0e1218',
  '#090c10',
];

const danger: MantineColorsTuple = [
  '#fdebe9',
  '#fad5d2',
  '#f5aaa4',
  '#f07f76',
  '#ea5b50',
  '#dd4237',
  '#c8322a',
  '#b3261e',
  '#931c15',
  '#74130e',
];

// Locking the page scroll would insert a <style> element, which the content security policy blocks. base.css keeps
// the page behind a dialog still.
const DIALOG = {
  lockScroll: false,
  padding: 'lg',
  transitionProps: { duration: 120 },
  closeButtonProps: { 'aria-label': 'Close' },
  // Otherwise a <header> in a dialog is a second banner of the page.
  attributes: { header: { role: 'presentation' } },
};

export const theme = createTheme({
  primaryColor: 'tide',
  primaryShade: { light: 7, dark: 7 },
  colors: { tide, dark, danger },
  defaultRadius: 'md',
  respectReducedMotion: true,
  fontFamily:
    "-apple-system, BlinkMacSystemFont, 'Segoe UI Variable Text', 'Segoe UI', Roboto, Inter, 'Noto Sans', 'Liberation Sans', Arial, sans-serif",
  fontFamilyMonospace:
    "ui-monospace, SFMono-Regular, 'Cascadia Mono', 'Segoe UI Mono', 'JetBrains Mono', 'Liberation Mono', Menlo, Consolas, monospace",
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  components: {
    Button: { defaultProps: { component: SteadyButton } },
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Modal: { defaultProps: { ...DIALOG, centered: true } },
    Drawer: { defaultProps: { ...DIALOG, position: 'right' } },
  },
});
