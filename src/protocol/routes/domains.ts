import * as z from 'zod'
import { noContent, pageAnswer, pageQuery } from '../records/common'
import { domain, domainBody } from '../records/domain'
import { changeErrors, idParams } from './params'
import type { Route } from './route'

/** Domains of the account, to receive at and to send from (specification 2.10). */
export const domainsRoutes = {
  create: {
    method: 'POST',
    path: '/domains',
    summary: 'Add a domain',
    description:
      'The answer has the DNS records to publish. They are looked for again and again; `POST /domains/{id}/verify` looks at once.',
    access: 'manage',
    body: domainBody,
    success: { status: 201 },
    answer: domain,
    withoutRead: 'all',
    errors: [...changeErrors, 'domain_exists', 'domain_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/domains',
    summary: 'List domains, oldest first',
    access: 'read',
    query: z.strictObject(pageQuery),
    success: { status: 200 },
    answer: z.looseObject({ domains: z.array(domain), ...pageAnswer }),
    errors: ['account_expired', 'invalid_cursor'],
  },
  get: {
    method: 'GET',
    path: '/domains/{id}',
    summary: 'Read a domain, with the DNS records to publish',
    access: 'read',
    params: idParams,
    success: { status: 200 },
    answer: domain,
    errors: ['account_expired', 'not_found'],
  },
  verify: {
    method: 'POST',
    path: '/domains/{id}/verify',
    summary: 'Look for the DNS records of a domain now',
    description:
      'Answers what was found and what to do. Of several accounts with the same domain the first to prove that it owns it gets it.',
    access: 'manage',
    params: idParams,
    success: { status: 200 },
    answer: domain,
    withoutRead: 'all',
    errors: [...changeErrors, 'not_found', 'domain_unavailable'],
  },
  rotate: {
    method: 'POST',
    path: '/domains/{id}/rotate',
    summary: 'Give a domain a new DKIM key',
    description:
      'The new key has a record of its own (`dkim_next`), and signs once that is found. Keep the old record for a week: mail on its way is signed with it.',
    access: 'manage',
    params: idParams,
    success: { status: 200 },
    answer: domain,
    withoutRead: 'all',
    errors: [...changeErrors, 'not_found'],
  },
  delete: {
    method: 'DELETE',
    path: '/domains/{id}',
    summary: 'Delete a domain that has no inboxes',
    access: 'manage',
    params: idParams,
    success: { status: 204 },
    answer: noContent,
    errors: [...changeErrors, 'not_found', 'domain_in_use'],
  },
} as const satisfies Record<string, Route>
