import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as lazyComponent,
  Navigate,
  retainSearchParams,
} from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { ScreenFailure } from './design/failure-view.tsx';
import { loadPart } from './graph/connection.ts';
import { followAddress, modeInAddress } from './graph/scope.ts';
import { Frame, NotFound } from './shell/frame.tsx';

/** A lazily loaded screen. Its chunk is requested again if it could not be loaded. */
const lazyRouteComponent = (load: () => Promise<{ default: FunctionComponent }>) =>
  lazyComponent(() => loadPart(load));

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

/**
 * Validates the search of an address: keeps the named texts, converts numbers to text and ignores everything
 * else.
 */
const texts =
  <const Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name];
        const text = typeof value === 'number' ? String(value) : value;
        return typeof text === 'string' && text !== '' ? [[name, text]] : [];
      }),
    ) as Partial<Record<Name, string>>;

const paging = ['after', 'before', 'size'] as const;

/** Keeps the chosen page size of a list when its filter changes. */
const keepsSize = { middlewares: [retainSearchParams<{ size?: string }>(['size'])] };

const homeRoute = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/home/home.screen.tsx')),
});
const membersRoute = createRoute({
  getParentRoute: () => root,
  path: '/members',
  staticData: { title: 'members.title' },
  validateSearch: texts('search', 'status', 'tag', 'tier', 'points', 'from', 'to', 'sort', ...paging),
  search: keepsSize,
  component: lazyRouteComponent(() => import('./screens/members/members.screen.tsx')),
});
const memberRoute = createRoute({
  getParentRoute: () => root,
  path: '/members/$id',
  staticData: { title: 'member.title' },
  validateSearch: texts('tab'),
  component: lazyRouteComponent(() => import('./screens/member/member.screen.tsx')),
});
const memberPointsRoute = createRoute({
  getParentRoute: () => root,
  path: '/members/$id/points',
  validateSearch: texts(...paging),
  search: keepsSize,
  component: lazyRouteComponent(() => import('./screens/member-points/member-points.screen.tsx')),
});
const liabilityRoute = createRoute({
  getParentRoute: () => root,
  path: '/liability',
  component: lazyRouteComponent(() => import('./screens/liability/liability.screen.tsx')),
});
const tiersRoute = createRoute({
  getParentRoute: () => root,
  path: '/tiers',
  component: lazyRouteComponent(() => import('./screens/tiers/tiers.screen.tsx')),
});
const couponsRoute = createRoute({
  getParentRoute: () => root,
  path: '/coupons',
  staticData: { title: 'coupons.title' },
  validateSearch: texts('status', 'code', ...paging),
  search: keepsSize,
  component: lazyRouteComponent(() => import('./screens/coupons/coupons.screen.tsx')),
});
const couponPoolRoute = createRoute({
  getParentRoute: () => root,
  path: '/coupons/$id',
  validateSearch: texts('status', ...paging),
  search: keepsSize,
  component: lazyRouteComponent(() => import('./screens/coupons/coupon-pool.screen.tsx')),
});
const ordersRoute = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  staticData: { title: 'orders.title' },
  validateSearch: texts('status', 'externalOrderId', 'store', 'from', 'to', ...paging),
  search: keepsSize,
  component: lazyRouteComponent(() => import('./screens/orders/orders.screen.tsx')),
});
const orderRoute = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id',
  component: lazyRouteComponent(() => import('./screens/orders/order.screen.tsx')),
});
const receiptsRoute = createRoute({
  getParentRoute: () => root,
  path: '/receipts',
  validateSearch: texts('status', ...paging),
  component: lazyRouteComponent(() => import('./screens/receipts/receipts.screen.tsx')),
});
const capturesRoute = createRoute({
  getParentRoute: () => root,
  path: '/captures',
  validateSearch: texts('type', 'store', 'from', 'to', ...paging),
  component: lazyRouteComponent(() => import('./screens/captures/captures.screen.tsx')),
});
const keysRoute = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: texts(...paging),
  search: keepsSize,
  component: lazyRouteComponent(() => import('./screens/keys/keys.screen.tsx')),
});
const callsRoute = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: texts('caller', 'key', 'outcome', 'request', 'from', 'to', ...paging),
  search: keepsSize,
  component: lazyRouteComponent(() => import('./screens/keys/calls.screen.tsx')),
});
const modulesRoute = createRoute({
  getParentRoute: () => root,
  path: '/modules',
  component: lazyRouteComponent(() => import('./screens/workspace/modules.screen.tsx')),
});
const importsRoute = createRoute({
  getParentRoute: () => root,
  path: '/imports',
  validateSearch: texts(...paging),
  component: lazyRouteComponent(() => import('./screens/imports/imports.screen.tsx')),
});
const exportsRoute = createRoute({
  getParentRoute: () => root,
  path: '/exports',
  validateSearch: texts(...paging),
  component: lazyRouteComponent(() => import('./screens/exports/exports.screen.tsx')),
});
const creditsRoute = createRoute({
  getParentRoute: () => root,
  path: '/credits',
  validateSearch: texts('kind', ...paging),
  search: keepsSize,
  component: lazyRouteComponent(() => import('./screens/credits/credits.screen.tsx')),
});
const auditRoute = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: texts('resourceType', 'resourceId', 'action', 'from', 'to', ...paging),
  search: keepsSize,
  component: lazyRouteComponent(() => import('./screens/audit/audit.screen.tsx')),
});
const teamRoute = createRoute({
  getParentRoute: () => root,
  path: '/team',
  validateSearch: texts(...paging),
  search: keepsSize,
  component: lazyRouteComponent(() => import('./screens/workspace/team.screen.tsx')),
});
const settingsRoute = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/workspace/settings.screen.tsx')),
});
const accountRoute = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('./screens/workspace/account.screen.tsx')),
});

/** The screen with all shared components. Only builds for tests contain it. */
const bench =
  import.meta.env.MODE === 'bench'
    ? [
        createRoute({
          getParentRoute: () => root,
          path: '/bench',
          component: lazyRouteComponent(() => import('./bench/bench.screen.tsx')),
        }),
      ]
    : [];

/** Pages for visitors who are not signed in. A signed-in person is redirected to the home screen. */
const entrances = (['/sign-up', '/forgot-password'] as const).map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: () => <Navigate to="/" replace />,
  }),
);

/** All screens with their addresses. */
export const router = createRouter({
  basepath: '/app',
  rewrite: modeInAddress,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenFailure,
  routeTree: root.addChildren([
    homeRoute,
    membersRoute,
    memberRoute,
    memberPointsRoute,
    liabilityRoute,
    tiersRoute,
    couponsRoute,
    couponPoolRoute,
    ordersRoute,
    orderRoute,
    receiptsRoute,
    capturesRoute,
    keysRoute,
    callsRoute,
    modulesRoute,
    importsRoute,
    exportsRoute,
    creditsRoute,
    auditRoute,
    teamRoute,
    settingsRoute,
    accountRoute,
    ...entrances,
    ...bench,
  ]),
});

// This listener must be the first one, so that a screen loads in the mode of its address.
router.history.subscribe(followAddress);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
