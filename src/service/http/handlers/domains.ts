import { verifyDomain } from '../../core/domain-check'
import { createDomain, deleteDomain, listDomains, readDomain, rotateDomainKey } from '../../core/domains'
import type { Handlers } from '../handler'

export const domainsHandlers: Handlers['domains'] = {
  create: ({ core, scope, request }) => createDomain(core, scope, request),
  list: ({ core, scope, request }) => listDomains(core, scope, request),
  get: ({ core, scope, request }) => readDomain(core, scope, request.id),
  verify: ({ core, scope, request }) => verifyDomain(core, scope, request.id),
  rotate: ({ core, scope, request }) => rotateDomainKey(core, scope, request.id),
  delete: ({ core, scope, request }) => deleteDomain(core, scope, request.id),
}
