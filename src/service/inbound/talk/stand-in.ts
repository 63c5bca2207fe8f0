import type { KeyObject } from 'node:crypto'
import { asciiDomain } from '../../../mail/headers'
import type { Resolver } from '../../ports'

/** Address for documentation (RFC 5737), used as the server of a played sender. */
export const standInAddress = '192.0.2.1'

/** Domain with a temporary key, so that its messages pass authentication like any others. */
export interface StandIn {
  domain: string
  selector: string
  privateKey: KeyObject
  /** Value of its DKIM record. */
  record: string
}

const none = async (name: string): Promise<never> => {
  throw Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
}

/** Creates a DNS resolver that knows only this domain, or nothing; it never queries the network. */
export function standInResolver(standIn: StandIn | null): Resolver {
  const records = new Map<string, string>()
  if (standIn) {
    const domain = asciiDomain(standIn.domain)
    records.set(`${standIn.selector}._domainkey.${domain}`, standIn.record)
    records.set(`_dmarc.${domain}`, 'v=DMARC1; p=reject')
    records.set(domain, `v=spf1 ip4:${standInAddress} -all`)
  }
  return {
    mx: none,
    addresses: none,
    ptr: none,
    txt: async (name) => {
      const record = records.get(name.toLowerCase())
      return record === undefined ? none(name) : [[record]]
    },
  }
}
