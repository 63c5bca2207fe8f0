export interface DomainTable {
  tenant_id: string
  id: string
  hostname: string
  mail_from_domain: string
  status: 'pending' | 'verified' | 'failing'
  /** Text that only the owner of the domain can publish. */
  token: string
  verified_at: string | null
  checked_at: string | null
  /** Time since which the ownership record has been missing. */
  lost_since: string | null
  /** 1 if the records of `mail_from_domain` were found at the last lookup. */
  return_path: number
  /** Finding of each record, as JSON. */
  findings: string
  created_at: string
}

export interface DomainHostTable {
  hostname: string
  tenant_id: string
  domain_id: string
  /** 1 if email to the domain comes here, by its MX records at the last lookup. */
  receives: number
}

export interface DkimKeyTable {
  tenant_id: string
  /** Id of the domain; for the service's own domain, its hostname. */
  domain_id: string
  selector: string
  /** `next` is published but does not sign yet. */
  state: 'current' | 'next'
  public_key: string
  /** Encrypted with a key derived from the server's secret. */
  private_key: string
  created_at: string
}
