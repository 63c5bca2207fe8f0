import { number, type RowOf, table, text, textOf, textOrNull } from './table'

export const domains = table({
  columns: {
    tenant_id: text,
    id: text,
    hostname: text,
    mail_from_domain: text,
    status: textOf<'pending' | 'verified' | 'failing'>(),
    /** Text that only the owner of the domain can publish. */
    token: text,
    verified_at: textOrNull,
    checked_at: textOrNull,
    /** Time since which the ownership record has been missing. */
    lost_since: textOrNull,
    /** 1 if the records of `mail_from_domain` were found at the last lookup. */
    return_path: number,
    /** Finding of each record, as JSON. */
    findings: text,
    created_at: text,
  },
  key: ['tenant_id', 'id'],
  indexes: { domains_by_hostname: '(tenant_id, hostname)' },
})
export type DomainTable = RowOf<typeof domains>

export const domainHosts = table({
  columns: {
    hostname: text,
    tenant_id: text,
    domain_id: text,
    /** 1 if email to the domain comes here, by its MX records at the last lookup. */
    receives: number,
  },
  key: ['hostname'],
})
export type DomainHostTable = RowOf<typeof domainHosts>

export const dkimKeys = table({
  columns: {
    tenant_id: text,
    /** Id of the domain; for the service's own domain, its hostname. */
    domain_id: text,
    selector: text,
    /** `next` is published but does not sign yet. */
    state: textOf<'current' | 'next'>(),
    public_key: text,
    /** Encrypted with a key derived from the server's secret. */
    private_key: text,
    created_at: text,
  },
  key: ['tenant_id', 'domain_id', 'selector'],
})
export type DkimKeyTable = RowOf<typeof dkimKeys>
