import { useSignal, useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button'
import { Failed } from '../parts/states'
import type { FromFrame } from './frame/protocol'
import { type Frame, type Frames, makeFrame, place, tell } from './frames'
import { MisledDialog } from './misled-dialog'
import { type Pictures, readInside, readOutside, type Shown } from './pictures'

interface HtmlBodyProps {
  /** Account id. */
  account: string
  /** Both are undefined while they are read; the document loads meanwhile. */
  message: Shown | undefined
  html: string | null | undefined
  /** Pool that may have a document ready; without it a new one is created. */
  frames?: Frames
}

const maxHeight = 30_000
const cannotLoad = new Error('The HTML viewer could not be loaded. Check your connection, then try again.')
const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname || address : address)
/** Returns an address in ASCII, so that letters that look like others become visible. */
const asciiOf = (address: string) => (URL.canParse(address) ? new URL(address).href : address)
const hostsOf = (addresses: string[]) => [...new Set(addresses.map(hostOf))]

/** Marks the frame that has the focus, since the window loses it to the frame. */
const mark = () => {
  for (const one of document.querySelectorAll('iframe'))
    one.toggleAttribute('data-focused', one === document.activeElement)
}
Object.assign(window, { onblur: mark, onfocus: mark })

/**
 * Shows the HTML of a message in a document with an opaque origin that fetches nothing itself. Pictures are
 * passed to it as data; external ones are fetched by the service, on request. Links open in new tabs and are
 * announced first. Give each message its own `key`: nothing that one does to its document may reach the next.
 */
export function HtmlBody(props: HtmlBodyProps) {
  const isMissing = useSignal(false)
  if (isMissing.value) return <Failed error={cannotLoad} again={() => (isMissing.value = false)} />
  return <FramedBody {...props} onMissing={() => (isMissing.value = true)} />
}

interface FramedBodyProps extends HtmlBodyProps {
  /** Called if the document cannot be loaded. */
  onMissing: () => void
}

/** Offers the images that are at other servers. */
function OutsideNote({ outside, onShow }: { outside: string[]; onShow: () => Promise<void> }) {
  return (
    <div class="note spread">
      <span>
        {outside.length === 1 ? 'One image' : `${outside.length} images`} from{' '}
        {hostsOf(outside).slice(0, 3).join(', ')}
        {hostsOf(outside).length > 3 && ' and others'}: not shown. Showing images tells the sender that
        somebody opened the message, but not who.
      </span>
      <Button onPress={onShow}>Show images</Button>
    </div>
  )
}

interface FrameUse extends Pick<FramedBodyProps, 'frames' | 'onMissing'> {
  frame: RefObject<Frame | null>
  box: RefObject<HTMLDivElement | null>
  take: (event: MessageEvent<FromFrame>) => void
}

/** Places a frame while the body is shown, and passes on its messages. */
function useFrame({ frame, box, frames, take, onMissing }: FrameUse): void {
  // Later messages of the frame need the message that is known by then.
  const latest = useRef(take)
  latest.current = take
  useLayoutEffect(() => {
    const taken = frames?.take() ?? makeFrame()
    frame.current = taken
    place(taken, box.current!)
    taken.port.onmessage = (event) => latest.current(event)
    const stop = taken.isReady.subscribe((isReady) => {
      if (isReady === false) onMissing()
    })
    return () => {
      stop()
      taken.port.close()
    }
  }, [])
}

function FramedBody({ account, message, html, frames, onMissing }: FramedBodyProps) {
  const frame = useRef<Frame | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const isWhole = useSignal(false)
  const height = useSignal(120)
  const outside = useSignal<string[]>([])
  const missing = useSignal<number | null>(null)
  const over = useSignal<string | null>(null)
  const misled = useSignal<{ href: string; text: string } | null>(null)
  const hand = (pictures: Pictures) => tell(frame.current!, { kind: 'pictures', pictures })
  const setHeight = (wanted: number) => {
    height.value = Math.min(Math.max(Math.ceil(Number(wanted)) || 0, 40), maxHeight)
  }
  const take = ({ data }: MessageEvent<FromFrame>) => {
    if (data.kind === 'ready') return
    if (data.kind === 'over') over.value = data.href === null ? null : String(data.href)
    else if (data.kind === 'misled') misled.value = { href: String(data.href), text: String(data.text) }
    else setHeight(data.height)
    if (data.kind !== 'shown') return
    isWhole.value = true
    frames?.prepare()
    if (!message) return
    outside.value = data.outside.map(String)
    if (data.inside.length > 0) void readInside(account, message, data.inside.map(String)).then(hand)
  }
  useFrame({ frame, box, frames, take, onMissing })
  useSignalEffect(() => {
    const { element } = frame.current!
    element.height = String(height.value)
    element.ariaBusy = String(!isWhole.value)
  })
  useLayoutEffect(() => {
    if (typeof html === 'string') tell(frame.current!, { kind: 'show', html })
  }, [html])
  const showPictures = async () => {
    if (!message) return
    const wanted = outside.value
    const pictures = await readOutside(account, message, wanted)
    hand(pictures)
    outside.value = []
    missing.value = wanted.length - Object.keys(pictures).length
  }
  return (
    <div class="html-body">
      {outside.value.length > 0 && <OutsideNote outside={outside.value} onShow={showPictures} />}
      {(missing.value ?? 0) > 0 && (
        <p class="note">
          {missing.value === 1 ? 'One image' : `${missing.value} images`} could not be fetched.
        </p>
      )}
      <div class="html-frame" ref={box} />
      <p class="html-lead small" aria-live="polite" hidden={over.value === null}>
        Leads to <strong>{hostOf(over.value ?? '')}</strong>{' '}
        <span class="faint">{asciiOf(over.value ?? '')}</span>
      </p>
      {misled.value && <MisledDialog {...misled.value} onClose={() => (misled.value = null)} />}
    </div>
  )
}
