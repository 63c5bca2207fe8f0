import type { AccountPorts } from '../accounts/ports'
import type { Resolver } from '../ports'

/** A pair of RSA keys of 2048 bits, in DER: SPKI and PKCS #8. */
export interface KeyPair {
  readonly publicKey: Buffer
  readonly privateKey: Buffer
}

/** Ports of domains, including the DNS resolver. */
export interface DomainPorts extends AccountPorts {
  readonly resolver: Resolver
  /** Generates the signing keys in place of OpenSSL, which takes part of a second for each. */
  readonly makeKeyPair?: () => Promise<KeyPair>
}
