import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { createQueryClient } from './api/queries.ts';
import { Pages } from './routes.tsx';
import { theme } from './theme/theme.ts';
import { CrashBoundary } from './ui/crash-boundary.tsx';
import { LeaveGuard } from './ui/leave-guard.tsx';
import { Toaster } from './ui/toaster.tsx';

const queryClient = createQueryClient();

/** One route for all addresses, which `Pages` divides. Only such a router can ask before a form is left. */
const router = createBrowserRouter([{ path: '*', element: <Everything /> }]);

/** The router shows errors of its routes itself, so what it renders needs its own boundary. */
function Everything() {
  return (
    <CrashBoundary>
      <Toaster>
        <Pages />
        <LeaveGuard />
      </Toaster>
    </CrashBoundary>
  );
}

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
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CrashBoundary>
    </MantineProvider>
  );
}
