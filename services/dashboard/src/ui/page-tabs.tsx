import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import classes from './page-tabs.module.css';

interface PageTabsProps<Tab extends string> {
  readonly tab: Tab;
  /** The tabs to show, with their labels. */
  readonly labels: Readonly<Partial<Record<Tab, string>>>;
  readonly pathOf: (tab: Tab) => string;
  /** The content of the tab. */
  readonly children: ReactNode;
}

/** The tabs of a page. Each tab has its own URL. */
export function PageTabs<Tab extends string>({ tab, labels, pathOf, children }: PageTabsProps<Tab>) {
  const navigate = useNavigate();
  return (
    <Tabs
      value={tab}
      onChange={(name) => name !== null && void navigate(pathOf(name as Tab))}
      keepMounted={false}
      activateTabWithKeyboard={false}
    >
      <Tabs.List className={classes.tabs}>
        {Object.entries<string | undefined>(labels).map(([name, label]) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab} className={classes.panel}>
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}
