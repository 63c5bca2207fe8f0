import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { TextPiece } from '../../protocol/records/message'
import { senderOf, shownLine, subjectOf } from '../core/shown'
import { shortTime } from '../core/times'
import { Icon } from '../parts/icon'
import type { MailList, Row } from './mail-list'

/** Height of every row in pixels; equal heights let only the visible rows be rendered. */
const rowHeight = 62
const beyond = 8

/** Keeps a space at the ends of a piece of a line. */
const shownPiece = (text: string) => {
  const line = text.trim()
  return (/^\s/.test(text) ? ' ' : '') + shownLine(line) + (line && /\s$/.test(text) ? ' ' : '')
}

const Pieces = ({ pieces }: { pieces: readonly TextPiece[] }) => (
  <>
    {pieces.map(({ text, hit }, at) => (hit ? <mark key={at}>{shownPiece(text)}</mark> : shownPiece(text)))}
  </>
)

const hiddenLabels = new Set(['unread', 'archived', 'trash'])

interface RowProps {
  row: Row
  at: number
  /** Only one row is reachable by Tab; keys move on from there. */
  isReached: boolean
  isOpen: boolean
  isChosen: boolean
  onOpen: () => void
  onChoose: (range: boolean) => void
}

function MessageRow({ row: { record, found }, at, isReached, isOpen, isChosen, onOpen, onChoose }: RowProps) {
  const { direction, from_addr, to_addrs, preview, labels, attachments, created_at } = record
  const to = () => shownLine(`To ${to_addrs.slice(0, 5).join(', ')}`)
  const who = direction === 'outbound' ? to() : senderOf(record)
  const title = subjectOf(record)
  const failed = ['bounced', 'rejected', 'complained'].includes(record.delivery_status)
  return (
    <li
      class={`message ${isOpen ? 'open' : ''} ${isChosen ? 'chosen' : ''} ${labels.includes('unread') ? 'unread' : ''}`}
      style={{ transform: `translateY(${at * rowHeight}px)` }}
    >
      <input
        type="checkbox"
        aria-label={`Select ${title}`}
        checked={isChosen}
        tabIndex={isReached ? 0 : -1}
        onClick={(event) => onChoose(event.shiftKey)}
      />
      <button type="button" class="what" aria-current={isOpen} onClick={onOpen} tabIndex={isReached ? 0 : -1}>
        <span class="spread">
          <span class="who cut" title={from_addr}>
            {who}
          </span>
          <time class="small faint nowrap">{shortTime(created_at)}</time>
        </span>
        <span class="line">
          <span class="subject cut">{found ? <Pieces pieces={found.subject} /> : title}</span>
          {attachments.some(({ decorative }) => !decorative) && <Icon name="clip" />}
          {failed && <span class="tag wrong">{record.delivery_status}</span>}
          {labels
            .filter((name) => !hiddenLabels.has(name))
            .map((name) => (
              <span key={name} class={`tag ${name === 'spam' ? 'warn' : ''}`}>
                {name}
              </span>
            ))}
        </span>
        <span class="preview cut small">
          {found ? <Pieces pieces={found.snippet} /> : shownLine(preview)}
        </span>
      </button>
    </li>
  )
}

interface ListProps {
  list: MailList
  open: string | null
  chosen: ReadonlyMap<string, Row>
  onOpen: (row: Row) => void
  onChoose: (row: Row, range: boolean) => void
}

/** Scrolls to a message that was opened by a key. */
function useScrollTo(box: RefObject<HTMLDivElement | null>, at: number): void {
  useEffect(() => {
    const element = box.current!
    if (at < 0) return
    if (at * rowHeight < element.scrollTop) element.scrollTop = at * rowHeight
    else if ((at + 1) * rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = (at + 1) * rowHeight - element.clientHeight
  }, [at])
}

/** Renders the visible rows of a list of any length. */
export function MessageList({ list, open, chosen, onOpen, onChoose }: ListProps) {
  const box = useRef<HTMLDivElement>(null)
  const top = useSignal(0)
  const height = useSignal(800)
  const first = useComputed(() => Math.max(0, Math.floor(top.value / rowHeight) - beyond))
  const last = useComputed(() => Math.ceil((top.value + height.value) / rowHeight) + beyond)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      height.value = entry!.contentRect.height
    })
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])
  useSignalEffect(() => {
    if (list.error.value) return
    if (last.value + 20 > list.rows.value.length) void list.more()
    list.see(first.value, last.value)
  })
  const at = open === null ? -1 : list.rows.value.findIndex((row) => row?.record.id === open)
  useScrollTo(box, at)
  const rows = list.rows.value
  const isSeen = at >= first.value && at < last.value
  const reached = isSeen ? at : Math.ceil(top.value / rowHeight)
  return (
    <div
      class="messages"
      ref={box}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop
      }}
    >
      <ul style={{ height: `${rows.length * rowHeight}px` }} aria-label="Messages">
        {rows
          .slice(first.value, last.value)
          .map(
            (row, offset) =>
              row && (
                <MessageRow
                  key={row.record.id}
                  row={row}
                  at={first.value + offset}
                  isReached={first.value + offset === reached}
                  isOpen={row.record.id === open}
                  isChosen={chosen.has(row.record.id)}
                  onOpen={() => onOpen(row)}
                  onChoose={(range) => onChoose(row, range)}
                />
              ),
          )}
      </ul>
      {list.isReading.value && (
        <p class="faint small end" role="status">
          Loading…
        </p>
      )}
    </div>
  )
}
