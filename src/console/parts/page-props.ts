import type { Account } from '../../protocol/records'

/** What every page is given. */
export interface PageProps {
  account: Account
}
