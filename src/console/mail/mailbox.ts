import { signal } from '@preact/signals'
import type { SocketLike } from '../../client/platform/platform'
import { Mailbox } from '../../mailbox/mailbox'
import { accountHeader, accountSubprotocolPrefix, realtimeSubprotocol } from '../../protocol/socket'
import { clearAll, onSignedOut } from '../core/ask'
import { interfaceUrl } from '../core/location'
import { followCounts } from './counts'

/** State of the open mailbox; `live` if it is up to date. */
export const status = signal('connecting')

/** Opens the mailbox of an account: the cookie identifies the operator, the header names the account. */
async function open(account: string, signal: AbortSignal): Promise<Mailbox> {
  const mailbox = await Mailbox.open({
    url: interfaceUrl,
    // The session replaces the key, which is never sent.
    apiKey: 'none',
    fetch: async (url, init) => {
      const headers = new Headers(init.headers)
      headers.delete('authorization')
      headers.set(accountHeader, account)
      const response = await fetch(url, { ...init, headers })
      if (response.status === 401) clearAll()
      return response
    },
    openSocket: ({ url }) =>
      new WebSocket(url, [realtimeSubprotocol, `${accountSubprotocolPrefix}${account}`]) as SocketLike,
    maxCacheBytes: 16 * 1024 * 1024,
    signal,
  })
  mailbox.on('state', (state) => {
    status.value = state.status
  })
  status.value = mailbox.state.status
  followCounts(account, mailbox, signal)
  return mailbox
}

interface Held {
  account: string
  mailbox: Promise<Mailbox>
  close(): void
}
let held: Held | undefined
onSignedOut(() => {
  held?.close()
  held = undefined
})

/** Returns the mailbox of an account. It stays open across pages, and only one is open at a time. */
export function mailboxOf(account: string): Promise<Mailbox> {
  if (held?.account === account) return held.mailbox
  held?.close()
  const controller = new AbortController()
  const mailbox = open(account, controller.signal)
  const mine: Held = { account, mailbox, close: () => controller.abort() }
  held = mine
  // The next caller tries again after a failure.
  mailbox.catch(() => {
    if (held === mine) held = undefined
  })
  return mailbox
}
