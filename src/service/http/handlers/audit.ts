import { exportAudit, listAudit } from '../../accounts/audit-log'
import { type Handlers, noStore } from './call'

export const auditHandlers: Handlers['audit'] = {
  list: ({ ports, scope, request }) => listAudit(ports, scope, request),
  export: async ({ ports, scope, request }) =>
    new Response(exportAudit(ports, scope, request), {
      headers: {
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="audit.ndjson"',
        'x-content-type-options': 'nosniff',
        ...noStore,
      },
    }),
}
