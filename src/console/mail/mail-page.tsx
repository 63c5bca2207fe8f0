import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Mailbox } from '../../mailbox/mailbox'
import { go, hrefOf, isCaptured, query, setQuery } from '../core/location'
import { hush, notice, tellError } from '../core/notices'
import { Button } from '../parts/button'
import { KeyHelp } from '../parts/dialog'
import { Icon } from '../parts/icon'
import { type PageProps, useReading } from '../parts/reading'
import { Empty, Failed, Loading } from '../parts/states'
import { Filters, modeOf } from './filters'
import { keyWords, useKeys } from './keys'
import { MailList, type Row, type Wanted } from './mail-list'
import { mailboxOf, status } from './mailbox'
import { MessageList } from './message-list'
import { conversationOf, MessageView } from './message-view'
import { Mover } from './move'
import { HtmlViewer } from './sides'
import { viewOf } from './views'

function wantedNow(): Wanted {
  const parameters = query.value
  return {
    view: viewOf(parameters.get('view')),
    inbox: parameters.get('inbox'),
    query: parameters.get('q') ?? '',
    mode: modeOf(parameters.get('mode')),
    order: parameters.get('order') === 'asc' ? 'asc' : 'desc',
  }
}

function Nothing({ list, mailbox }: { list: MailList; mailbox: Mailbox }) {
  const { q, view, inbox, account } = Object.fromEntries(query.value)
  const { inboxes } = mailbox
  const reached = inboxes.find(({ id }) => id === inbox || inboxes.length === 1)
  if (list.error.value) return <Failed error={list.error.value} again={() => list.more()} />
  if (!list.isWhole.value) return null
  return (
    <Empty title={q ? 'No messages found' : 'No messages'}>
      {q ? (
        <p>Try fewer words, or another folder.</p>
      ) : view ? (
        <p>New messages appear here.</p>
      ) : (
        <p>
          New messages to <strong>{reached?.address ?? 'your inboxes'}</strong> appear here.
        </p>
      )}
      {!q && !view && isCaptured && <a href={hrefOf('/talk', { account })}>Write a first message</a>}
    </Empty>
  )
}

interface ManyProps {
  mover: Mover
  list: MailList
  chosen: readonly Row[]
  onDone: () => void
}

function Many({ mover, list, chosen, onDone }: ManyProps) {
  const records = chosen.map(({ record }) => record)
  const all = (name: string) => records.every(({ labels }) => labels.includes(name))
  const act = (name: string) => async () => {
    await mover.move(list, records, name, !all(name))
    onDone()
  }
  return (
    <div class="row many" role="toolbar" aria-label="Selected messages">
      <strong>{chosen.length} selected</strong>
      <Button kind="quiet" onPress={act('archived')}>
        <Icon name="archive" /> {all('archived') ? 'Move to inbox' : 'Archive'}
      </Button>
      <Button kind="quiet" onPress={act('trash')}>
        <Icon name="trash" /> {all('trash') ? 'Restore' : 'Trash'}
      </Button>
      <Button kind="quiet" onPress={act('unread')}>
        <Icon name="unread" /> {all('unread') ? 'Mark read' : 'Mark unread'}
      </Button>
      <Button kind="quiet" label="Select none" onPress={onDone}>
        ✕
      </Button>
    </div>
  )
}

/** Returns the selected rows in their current state. */
const chosenNow = (list: MailList, chosen: ReadonlyMap<string, Row>): Row[] =>
  [...chosen].map(([id, row]) => list.find(id) ?? row)

function Status({ order, onHelp }: { order: Wanted['order']; onHelp: () => void }) {
  return (
    <footer class="small faint spread">
      <span role="status" class={status.value === 'live' ? '' : 'tag warn'}>
        {status.value === 'live' ? 'Live' : 'Out of date: connecting…'}
      </span>
      <Button kind="link" onPress={() => setQuery({ order: order === 'asc' ? null : 'asc' })}>
        {order === 'asc' ? 'Newest first' : 'Oldest first'}
      </Button>
      <Button kind="link" onPress={onHelp}>
        Shortcuts
      </Button>
    </footer>
  )
}

function NoneSelected() {
  return (
    <Empty title="No message selected">
      <p>
        Select a message, or press <kbd>j</kbd>. <kbd>?</kbd> lists all shortcuts.
      </p>
    </Empty>
  )
}

type Chosen = ReadonlyMap<string, Row>

/** Returns a function that selects a row, or with `range` all rows from the last selected one. */
function useChoose(chosen: Signal<Chosen>, rows: readonly (Row | null)[]) {
  const lastChosen = useRef<string | null>(null)
  return (chosenRow: Row, range: boolean): void => {
    const { id } = chosenRow.record
    const next = new Map(chosen.value)
    const placeOf = (wanted: string | null) => rows.findIndex((row) => row?.record.id === wanted)
    const [from, to] = [lastChosen.current === null ? -1 : placeOf(lastChosen.current), placeOf(id)]
    if (range && from >= 0) {
      for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1))
        if (row) next.set(row.record.id, row)
    } else if (!next.delete(id)) next.set(id, chosenRow)
    lastChosen.current = id
    chosen.value = next
  }
}

interface MailKeys {
  account: string
  shown: MailList | null
  rows: readonly (Row | null)[]
  /** Id of the open message. */
  open: string | null
  show: (row: Row | null | undefined) => void
  choose: (row: Row, range: boolean) => void
  mover: Mover
  chosen: Signal<Chosen>
  helping: Signal<boolean>
  search: RefObject<HTMLInputElement | null>
}

/** Binds the keys of the page. */
function useMailKeys(parts: MailKeys): void {
  const { account, shown, rows, open, show, choose, mover, chosen, helping, search } = parts
  const at = open === null ? -1 : rows.findIndex((row) => row?.record.id === open)
  const act = (name: string) => () => {
    if (!shown) return
    const some = chosenNow(shown, chosen.value)
    const opened = rows[at]
    const records = (some.length > 0 ? some : opened ? [opened] : []).map(({ record }) => record)
    if (records.length === 0) return
    const isOn = !records.every(({ labels }) => labels.includes(name))
    const next = rows[at + 1] ?? rows[at - 1]
    mover.move(shown, records, name, isOn).catch(tellError)
    chosen.value = new Map()
    if (name !== 'unread' && some.length === 0) show(next)
  }
  useKeys({
    j: () => show(rows[Math.min(at + 1, rows.length - 1)]),
    k: () => show(rows[Math.max(at - 1, 0)]),
    o: () => show(rows[Math.max(at, 0)]),
    x: () => {
      const row = rows[at]
      if (row) choose(row, false)
    },
    e: act('archived'),
    '#': act('trash'),
    u: act('unread'),
    U: () => {
      const row = rows[at]
      if (!row || !shown) return
      setQuery({ message: null })
      mover.set(shown, [row.record], 'unread', true).catch(tellError)
    },
    '!': act('spam'),
    z: () => {
      notice.value?.undo?.()
      hush()
    },
    Home: () => setQuery({ order: null, message: null }),
    End: () => setQuery({ order: 'asc', message: null }),
    r: () => {
      const row = rows[at]
      if (row) go(conversationOf(account, row.record))
    },
    '/': () => search.current?.focus(),
    Escape: () => {
      if (chosen.value.size > 0) chosen.value = new Map()
      else setQuery({ message: null })
    },
    '?': () => {
      helping.value = true
    },
  })
}

interface ListedProps {
  mailbox: Mailbox
  mover: Mover
  list: MailList
  /** Id of the open message. */
  open: string | null
  chosen: Signal<Chosen>
  listKey: string
  show: (row: Row) => void
  choose: (row: Row, range: boolean) => void
}

/** Shows the list, and the actions on the selected messages above it. */
function Listed({ mailbox, mover, list, open, chosen, listKey, show, choose }: ListedProps) {
  const some = chosenNow(list, chosen.value)
  return (
    <>
      {some.length > 0 && (
        <Many mover={mover} list={list} chosen={some} onDone={() => (chosen.value = new Map())} />
      )}
      {list.rows.value.length === 0 && <Nothing list={list} mailbox={mailbox} />}
      <MessageList
        key={listKey}
        list={list}
        open={open}
        chosen={chosen.value}
        onOpen={show}
        onChoose={choose}
      />
    </>
  )
}

/** Returns the list for the current filter; null until it is made. */
function useMailList(mailbox: Mailbox, wanted: Wanted, key: string, chosen: Signal<Chosen>): MailList | null {
  const list = useSignal<MailList | null>(null)
  useEffect(() => {
    const made = new MailList(mailbox, wanted)
    list.value = made
    chosen.value = new Map()
    return () => made.close()
  }, [key])
  return list.value
}

function useViewer(): HtmlViewer {
  const viewer = useMemo(() => new HtmlViewer(), [])
  useEffect(() => {
    // If it cannot be loaded, the message that needs it shows the error.
    if (query.value.get('show') === 'html') viewer.prepare().catch(() => {})
    return () => viewer.close()
  }, [])
  return viewer
}

/** Shows the messages of an account: the list, and the open message beside it. */
function Mail({ account, mailbox }: { account: string; mailbox: Mailbox }) {
  const mover = useMemo(() => new Mover(mailbox), [])
  const viewer = useViewer()
  const chosen = useSignal<Chosen>(new Map())
  const helping = useSignal(false)
  const search = useRef<HTMLInputElement>(null)
  const wanted = wantedNow()
  const key = JSON.stringify([wanted.view.id, wanted.inbox, wanted.query, wanted.mode, wanted.order])
  const shown = useMailList(mailbox, wanted, key, chosen)
  const open = query.value.get('message')
  const rows = shown?.rows.value ?? []
  const choose = useChoose(chosen, rows)
  const show = (row: Row | null | undefined) => {
    if (!row || !shown) return
    setQuery({ message: row.record.id }, { replace: open !== null })
  }
  useMailKeys({ account, shown, rows, open, show, choose, mover, chosen, helping, search })
  return (
    <div class={`mailview ${open ? 'reading' : ''}`}>
      <section class="left" aria-label="Messages">
        <h1 class="hidden">All messages: {wanted.view.title}</h1>
        <Filters mailbox={mailbox} list={shown} search={search} />
        {shown && <Listed {...{ mailbox, mover, list: shown, open, chosen, listKey: key, show, choose }} />}
        <Status order={wanted.order} onHelp={() => (helping.value = true)} />
      </section>
      <section class="right" aria-label="Message">
        {open && shown ? (
          <MessageView
            key={open}
            account={account}
            mailbox={mailbox}
            mover={mover}
            viewer={viewer}
            list={shown}
            id={open}
          />
        ) : (
          <NoneSelected />
        )}
      </section>
      {helping.value && <KeyHelp keys={keyWords} onClose={() => (helping.value = false)} />}
    </div>
  )
}

/** Opens the mailbox and then shows it. */
export function Page({ account: { tenant_id } }: PageProps) {
  const { value, error, again } = useReading(`mailbox of ${tenant_id}`, () => mailboxOf(tenant_id))
  if (error.value) return <Failed error={error.value} again={again} />
  return value.value ? (
    <Mail account={tenant_id} mailbox={value.value} />
  ) : (
    <Loading what="Opening the mailbox" />
  )
}
