import { ActionIcon, type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Tip } from '../ui/tip.tsx';

const NEXT: Record<MantineColorScheme, MantineColorScheme> = { auto: 'light', light: 'dark', dark: 'auto' };
const ICONS: Record<MantineColorScheme, IconName> = { auto: 'system', light: 'sun', dark: 'moon' };
const NAMES: Record<MantineColorScheme, string> = { auto: 'system', light: 'light', dark: 'dark' };

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const label = `Theme: ${NAMES[colorScheme]}. Switch to ${NAMES[NEXT[colorScheme]]}`;
  return (
    <Tip label={label} atEdge>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(NEXT[colorScheme])}
      >
        <Icon name={ICONS[colorScheme]} />
      </ActionIcon>
    </Tip>
  );
}
