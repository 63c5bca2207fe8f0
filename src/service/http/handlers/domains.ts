import { verifyDomain } from '../../domains/domain-check'
import { createDomain, deleteDomain, listDomains, readDomain, rotateDomainKey } from '../../domains/domains'
import type { Handlers } from './call'

export const domainsHandlers: Handlers['domains'] = {
  create: ({ ports, scope, request }) => createDomain(ports, scope, request),
  list: ({ ports, scope, request }) => listDomains(ports, scope, request),
  get: ({ ports, scope, request }) => readDomain(ports, scope, request.id),
  verify: ({ ports, scope, request }) => verifyDomain(ports, scope, request.id),
  rotate: ({ ports, scope, request }) => rotateDomainKey(ports, scope, request.id),
  delete: ({ ports, scope, request }) => deleteDomain(ports, scope, request.id),
}
