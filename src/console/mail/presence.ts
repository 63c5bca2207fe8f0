import type { Present } from '../../protocol/records/presence'
import { call } from '../core/ask'

/** Reports what the operator does in a thread, and returns the other operators there. */
export const report = async (
  account: string,
  threadId: string,
  state: 'reading' | 'writing' | 'gone',
): Promise<readonly Present[]> => {
  const path = `/console/accounts/${account}/threads/${threadId}/presence`
  // It reaches the service even if the page closes.
  const { present } = await call<{ present: Present[] }>(path, {
    method: 'POST',
    body: { state },
    keepalive: true,
  })
  return present
}
