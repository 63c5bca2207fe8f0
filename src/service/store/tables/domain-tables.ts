export interface DomainTable {
  tenant_id: string
  id: string
  hostname: string
  mail_from_domain: string
  status: 'pending' | 'verified' | 'failing'
  /** The text that only the owner of the domain can publish. */
  token: string
  verified_at: string | null
  checked_at: string | null
  /** The time since which the record that proves ownership has not been there. */
  lost_since: string | null
  /** 1 where the records of `mail_from_domain` were there when they were last looked for. */
  return_path: number
  /** The findings of each record, as JSON. */
  findings: string
  created_at: string
}

export interface DomainHostTable {
  hostname: string
  tenant_id: string
  domain_id: string
  /** 1 where mail to the domain comes here, by its MX records when they were last looked for. */
  receives: number
}

export interface DkimKeyTable {
  tenant_id: string
  /** The id of the domain; of the service's own, its hostname. */
  domain_id: string
  selector: string
  /** `next` is published but does not sign yet. */
  state: 'current' | 'next'
  public_key: string
  /** Encrypted with a key that the server's secret leads to. */
  private_key: string
  created_at: string
}
