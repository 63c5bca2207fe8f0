import { useEffect, useRef } from 'preact/hooks'
import type { Present } from '../../protocol/records/desk/presence'
import { call, randomKey } from '../core/ask'

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

const reportEveryMs = 30_000
/** Time for which the service counts a report of unsent text. */
const countsMs = 120_000

const storedName = 'restante.writing'
/** Names the entries of this tab. */
const tab = randomKey()

/** Reads the unsent texts of this operator, each by its thread and tab, with the ms until which the service counts it. */
const readWriting = (): Record<string, number> => JSON.parse(localStorage.getItem(storedName) ?? '{}')

/** Notes unsent text, or a reply that may be undone, for all tabs, and forgets what is over. */
function noteWriting(threadId: string, kind: 'typing' | 'sending', untilMs: number): void {
  const ends = Object.entries({ ...readWriting(), [`${threadId} ${tab} ${kind}`]: untilMs })
  const lasting = ends.filter(([, endMs]) => endMs > Date.now())
  localStorage.setItem(storedName, JSON.stringify(Object.fromEntries(lasting)))
}

/** Returns whether the operator has unsent text in a thread: then no tab may report that they only read. */
export const isWritingIn = (threadId: string): boolean =>
  Object.entries(readWriting()).some(([name, endMs]) => name.startsWith(`${threadId} `) && endMs > Date.now())

/** Keeps agents out of a conversation while the reply in it may be undone: until it is sent, nothing holds it. */
export const keepWriting = (threadId: string, ms: number): void =>
  noteWriting(threadId, 'sending', Date.now() + ms)

/** Reports unsent text, which keeps agents out of the conversation, until the box closes. */
export function useTyping(account: string, threadId: string | null): (text: string) => void {
  const state = useRef({ isWriting: false, reportedAtMs: 0 })
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const forget = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  const reportState = (isWriting: boolean) => {
    forget()
    if (threadId === null) return
    state.current = { isWriting, reportedAtMs: Date.now() }
    noteWriting(threadId, 'typing', isWriting ? Date.now() + countsMs : 0)
    // Another tab, or a reply that may be undone, still keeps agents out.
    if (!isWriting && isWritingIn(threadId)) return
    report(account, threadId, isWriting ? 'writing' : 'reading').catch(() => {})
  }
  useEffect(() => {
    const leave = () => {
      forget()
      if (state.current.isWriting) reportState(false)
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [threadId])
  return (text) => {
    const isWriting = text.trim() !== ''
    const { isWriting: before, reportedAtMs } = state.current
    const leftMs = reportedAtMs + reportEveryMs - Date.now()
    if (isWriting !== before || (isWriting && leftMs <= 0)) reportState(isWriting)
    // The time of the last key is reported, too: otherwise typing would end up to 30 s early.
    else if (isWriting) timer.current ??= setTimeout(() => reportState(true), leftMs)
  }
}
