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

/** Reports unsent text, which keeps agents out of the conversation, until the box closes. */
export function useTyping(account: string, threadId: string | null): (text: string) => void {
  const state = useRef({ isWriting: false, toldAtMs: 0 })
  const tellState = (isWriting: boolean) => {
    if (threadId === null) return
    state.current = { isWriting, toldAtMs: Date.now() }
    report(account, threadId, isWriting ? 'writing' : 'reading').catch(() => {})
  }
  useEffect(() => {
    const leave = () => {
      if (state.current.isWriting) tellState(false)
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
    if (isWriting !== before || (isWriting && Date.now() - toldAtMs > reportEveryMs)) tellState(isWriting)
  }
}
