import { formatAddress, isAddress, looksElsewhere } from '../../mail/headers/address'
import { readAddressList } from '../../mail/headers/address-list'
import { UsageError } from '../../protocol/errors/error'

/** An address, or several in one text, as in the To field: `Ana <ana@example.com>, bo@example.com`. */
export type Recipient = string | { readonly address: string; readonly name?: string | null | undefined }

/** The recipients of a message. */
export type Recipients = Recipient | readonly Recipient[]

const invalid = (field: string, given: unknown) =>
  new UsageError(
    'invalid_address',
    `${field} has ${JSON.stringify(given)?.slice(0, 100)}, which is no list of addresses, and nothing was sent: write ana@example.com, "Ana <ana@example.com>" or { address, name }`,
  )

const addressesIn = (given: Recipient) => {
  if (typeof given === 'string') return readAddressList(given)
  const { address, name = null } = given ?? {}
  return typeof address === 'string' ? [{ address, name }] : null
}

/**
 * Reads recipients, one address each: a text may have several, as the To field may (RFC 5322 section 3.4).
 *
 * @param field Name of the option.
 * @throws UsageError `invalid_address` if any part is not an address: to omit it would lose a recipient
 */
export const readRecipients = (field: string, given: readonly Recipient[]): string[] =>
  given.flatMap((one) => {
    const found = addressesIn(one)
    if (!found?.every((each) => isAddress(each.address) && !looksElsewhere(each))) throw invalid(field, one)
    return found.map(formatAddress)
  })
