import type { ConsoleRoute } from '../console-route.ts';
import { getDescribedHome, getMissingDetails } from '../handlers/value.ts';
import { DescribedHomeBody, DescribeHomeRequestBody, MissingDetailsBody } from '../schemas/value.ts';

/** What the page Value asks besides the valuation itself. */
export const VALUE_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'POST',
    path: '/console/api/valuations/{id}/range-costs',
    operationId: 'propertyMissingDetails',
    access: 'avm:property',
    isLimited: true,
    answer: MissingDetailsBody,
    handle: getMissingDetails,
  },
  {
    method: 'POST',
    path: '/console/api/described-home',
    operationId: 'describeHome',
    access: 'avm:property',
    isLimited: true,
    body: DescribeHomeRequestBody,
    answer: DescribedHomeBody,
    handle: getDescribedHome,
  },
];
