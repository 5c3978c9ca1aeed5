import { lazy } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { NotFound } from './pages/not-found.tsx';
import { Shell } from './shell/shell.tsx';

/** Each page is a chunk of its own, loaded when it is first opened. */
const Overview = lazy(async () => ({
  default: (await import('./pages/overview/overview-page.tsx')).OverviewPage,
}));
const Events = lazy(async () => ({ default: (await import('./pages/events/events-page.tsx')).EventsPage }));
const Sources = lazy(async () => ({
  default: (await import('./pages/sources/sources-page.tsx')).SourcesPage,
}));
const Source = lazy(async () => ({ default: (await import('./pages/source/source-page.tsx')).SourcePage }));
const Delivery = lazy(async () => ({
  default: (await import('./pages/deliveries/permalink.tsx')).DeliveryPermalink,
}));
const Keys = lazy(async () => ({ default: (await import('./pages/keys/keys-page.tsx')).KeysPage }));
const Members = lazy(async () => ({
  default: (await import('./pages/members/members-page.tsx')).MembersPage,
}));
const Audit = lazy(async () => ({ default: (await import('./pages/audit/audit-page.tsx')).AuditPage }));
const Profile = lazy(async () => ({
  default: (await import('./pages/profile/profile-page.tsx')).ProfilePage,
}));
const Ops = lazy(async () => ({ default: (await import('./pages/ops/ops-page.tsx')).OpsPage }));
const SignIn = lazy(async () => ({ default: (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage }));
const Welcome = lazy(async () => ({
  default: (await import('./pages/welcome/welcome-page.tsx')).WelcomePage,
}));

export function Pages() {
  return (
    <Routes>
      <Route path="/sign-in" element={<SignIn />} />
      <Route path="/welcome" element={<Welcome />} />
      <Route path="/invitation" element={<Welcome />} />
      <Route path="/" element={<Shell />}>
        <Route index element={<Overview />} />
        <Route path="events" element={<Events />} />
        <Route path="events/webhook" element={<Sources />} />
        <Route path="events/webhook/:sourceId/:tab?" element={<Source />} />
        <Route path="deliveries/:deliveryId" element={<Delivery />} />
        <Route path="settings" element={<Navigate to="/settings/api-keys" replace />} />
        <Route path="settings/api-keys" element={<Keys />} />
        <Route path="settings/members" element={<Members />} />
        <Route path="settings/audit-log" element={<Audit />} />
        <Route path="settings/profile" element={<Profile />} />
        <Route path="ops" element={<Ops />} />
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}
