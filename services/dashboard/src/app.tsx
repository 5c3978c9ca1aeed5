import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createQueryClient } from './api/queries.ts';
import { Pages } from './routes.tsx';
import { theme } from './theme/theme.ts';
import { GuardedRouter } from './ui/guarded-router.tsx';
import { CrashBoundary } from './ui/states.tsx';
import { Toaster } from './ui/toaster.tsx';

const queryClient = createQueryClient();

/**
 * The root component. Theme variables and classes are in style sheets, because the content security policy blocks
 * <style> elements.
 */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <CrashBoundary>
        <QueryClientProvider client={queryClient}>
          <GuardedRouter>
            <Toaster>
              <Pages />
            </Toaster>
          </GuardedRouter>
        </QueryClientProvider>
      </CrashBoundary>
    </MantineProvider>
  );
}
