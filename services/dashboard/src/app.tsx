import { QueryClientProvider } from '@tanstack/react-query';
import { createQueryClient } from './api/queries.ts';
import { Pages } from './routes.tsx';
import { ThemeProvider } from './theme/theme-provider.tsx';
import { GuardedRouter } from './ui/guarded-router.tsx';
import { CrashBoundary } from './ui/states.tsx';
import { Toaster } from './ui/toaster.tsx';

const queryClient = createQueryClient();

/** The root component. */
export function App() {
  return (
    <ThemeProvider>
      <CrashBoundary>
        <QueryClientProvider client={queryClient}>
          <GuardedRouter>
            <Toaster>
              <Pages />
            </Toaster>
          </GuardedRouter>
        </QueryClientProvider>
      </CrashBoundary>
    </ThemeProvider>
  );
}
