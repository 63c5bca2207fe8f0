import { signal } from '@preact/signals'
import type { SocketLike } from '../../client'
import { Mailbox } from '../../mailbox'
import { accountHeader, accountSubprotocolPrefix, realtimeSubprotocol } from '../../protocol/socket'
import { clearAll, interfaceUrl, onSignedOut } from '../core'
import { followCounts } from './counts'

/** The status of the mailbox that is open: `live` where what is shown is what is there. */
export const status = signal('connecting')

/** Opens the mailbox of an account with the session of the operator: the cookie says who asks, the header for whom. */
async function open(account: string, signal: AbortSignal): Promise<Mailbox> {
  const mailbox = await Mailbox.open({
    url: interfaceUrl,
    // Nobody has a key here: it goes nowhere.
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

/** The mailbox of an account. It stays open from page to page, and one is open at a time. */
export function mailboxOf(account: string): Promise<Mailbox> {
  if (held?.account === account) return held.mailbox
  held?.close()
  const controller = new AbortController()
  const mailbox = open(account, controller.signal)
  const mine: Held = { account, mailbox, close: () => controller.abort() }
  held = mine
  // What failed is tried again by whoever asks next.
  mailbox.catch(() => {
    if (held === mine) held = undefined
  })
  return mailbox
}
