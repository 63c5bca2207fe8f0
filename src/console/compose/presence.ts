import { useEffect, useRef } from 'preact/hooks'
import type { Present } from '../../protocol/records/desk/presence'
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

const reportEveryMs = 30_000
/** Time for which the service counts a report of unsent text. */
const countsMs = 120_000

const storedName = 'restante.writing'

/** Reads the threads with unsent text of this operator, in any tab, with the ms until which the service counts it. */
const readWriting = (): Record<string, number> => JSON.parse(localStorage.getItem(storedName) ?? '{}')

/** Notes unsent text for all tabs, and forgets what is over. */
function noteWriting(threadId: string, untilMs: number): void {
  const ends = Object.entries({ ...readWriting(), [threadId]: untilMs })
  const lasting = ends.filter(([, endMs]) => endMs > Date.now())
  localStorage.setItem(storedName, JSON.stringify(Object.fromEntries(lasting)))
}

/** Threads with a reply of this tab that may still be undone. */
const sending = new Set<string>()

/** Returns whether the operator has unsent text in a thread: then no tab may report that they only read. */
export const isWritingIn = (threadId: string): boolean => (readWriting()[threadId] ?? 0) > Date.now()

/** Keeps agents out of a conversation while the reply in it may be undone: until it is sent, nothing holds it. */
export function keepWriting(threadId: string, ms: number): void {
  sending.add(threadId)
  noteWriting(threadId, Date.now() + ms)
  setTimeout(() => sending.delete(threadId), ms)
}

/** Reports unsent text, which keeps agents out of the conversation, until the box closes. */
export function useTyping(account: string, threadId: string | null): (text: string) => void {
  const state = useRef({ isWriting: false, toldAtMs: 0 })
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const forget = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  const tellState = (isWriting: boolean) => {
    forget()
    if (threadId === null) return
    state.current = { isWriting, toldAtMs: Date.now() }
    noteWriting(threadId, isWriting ? Date.now() + countsMs : 0)
    report(account, threadId, isWriting ? 'writing' : 'reading').catch(() => {})
  }
  useEffect(() => {
    const leave = () => {
      forget()
      const isSending = threadId !== null && sending.has(threadId)
      if (state.current.isWriting && !isSending) tellState(false)
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [threadId])
  return (text) => {
    const isWriting = text.trim() !== ''
    const { isWriting: before, toldAtMs } = state.current
    const leftMs = toldAtMs + reportEveryMs - Date.now()
    if (isWriting !== before || (isWriting && leftMs <= 0)) tellState(isWriting)
    // The last key counts for as long as any other.
    else if (isWriting) timer.current ??= setTimeout(() => tellState(true), leftMs)
  }
}
