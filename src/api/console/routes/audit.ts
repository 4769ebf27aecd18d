import { getAudit } from '../handlers/audit.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { AuditBody, AuditRequestBody } from '../schemas/audit.ts';

/** Who changed what. */
export const AUDIT_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/audit',
    operationId: 'readAudit',
    access: 'administrator',
    query: AuditRequestBody,
    answer: AuditBody,
    handle: getAudit,
  },
];
