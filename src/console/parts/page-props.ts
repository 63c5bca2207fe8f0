import type { Account } from '../../protocol/records'

/** Properties of every page. */
export interface PageProps {
  account: Account
}
